# One image for each service: docker build --build-arg SERVICE=services/auth -t itsm-auth .
# SERVICE is a folder: gateway, services/auth, services/graph, services/webhooks, services/webhook-delivery, services/ui-extensions, console.
# These two lines are the only place that names base images. `npm run images:pin` adds their digests, without which no release is built.
ARG BUILD_IMAGE=node:24-trixie-slim
ARG RUNTIME_IMAGE=gcr.io/distroless/nodejs24-debian13:nonroot

# What npm needs to know, without the sources: a change of code installs nothing.
FROM ${BUILD_IMAGE} AS manifests
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY shared/package.json shared/
COPY embedded/package.json embedded/
COPY packages/embedded-mongo/package.json packages/embedded-mongo/
COPY e2e/package.json e2e/
COPY bench/package.json bench/
COPY gateway/package.json gateway/
COPY console/package.json console/
COPY services/auth/package.json services/auth/
COPY services/graph/package.json services/graph/
COPY services/webhooks/package.json services/webhooks/
COPY services/webhook-delivery/package.json services/webhook-delivery/
COPY services/ui-extensions/package.json services/ui-extensions/

FROM manifests AS build
RUN npm ci --no-fund --no-audit
COPY scripts/build.mjs scripts/compiler-options.cjs scripts/
# Vite reads it for the console.
COPY tsconfig.json ./
COPY shared/src shared/src/
COPY gateway/documentation gateway/documentation/
COPY docs/events.md docs/errors.md docs/
COPY docs/api docs/api/
COPY gateway/src gateway/src/
COPY console/build.mjs console/vite.config.mjs console/
COPY console/browser console/browser/
COPY console/src console/src/
COPY services services/
RUN node scripts/build.mjs

FROM manifests AS dependencies
ARG SERVICE
RUN test -f "${SERVICE}/package.json"
RUN npm ci --no-fund --no-audit --omit=dev --workspace="${SERVICE}"
# npm links every workspace; a service needs only the shared one.
RUN find node_modules/@itsm -mindepth 1 ! -name shared -delete

# No shell, no package manager, nobody's files but root's; the process runs as 65532 and writes to /tmp alone.
FROM ${RUNTIME_IMAGE}
ARG SERVICE
LABEL org.opencontainers.image.title="itsm/${SERVICE}" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production \
    NODE_OPTIONS=--enable-source-maps
COPY --from=dependencies /src/node_modules /app/node_modules/
COPY --from=dependencies /src/shared /app/shared/
COPY --from=build /src/shared/dist /app/shared/dist/
COPY --from=dependencies /src/${SERVICE} /app/${SERVICE}/
COPY --from=build /src/${SERVICE}/dist /app/${SERVICE}/dist/
COPY LICENSE /app/
WORKDIR /app/${SERVICE}
USER 65532:65532
CMD ["dist/main.js"]

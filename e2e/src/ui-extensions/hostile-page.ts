/**
 * HTML that tries to run scripts, load, navigate away and call home in every way that a browser offers; `origin` counts
 * the calls.
 */
export function hostileHtml(origin: string): string {
  let count = 0;
  const address = (): string => `${origin}/reached-${(count += 1)}`;
  const run = (): string => `console.warn('ran ${(count += 1)}');new Image().src='${address()}'`;
  const events = [
    'onload',
    'onerror',
    'onclick',
    'onfocus',
    'onblur',
    'onmouseover',
    'onpointerenter',
    'onkeydown',
    'onwheel',
    'ontoggle',
    'onanimationstart',
    'ontransitionend',
    'onsubmit',
    'onchange',
    'oninput',
    'oncopy',
    'onscroll',
    'onpageshow',
    'onhashchange',
    'onmessage',
    'onbeforeunload',
    'onstart',
    'onplay',
    'onloadstart',
    'oncanplay',
  ];
  const say = (): string => `console.warn('ran ${(count += 1)}')`;
  const handlers = (): string => events.map((event) => `${event}="${say()}"`).join(' ');
  const every = (tags: readonly string[], attribute: string): string =>
    tags.map((tag) => `<${tag} ${attribute}="${address()}" ${handlers()}></${tag}>`).join('');
  const links = [
    'preconnect',
    'dns-prefetch',
    'prefetch',
    'prerender',
    'preload',
    'modulepreload',
    'stylesheet',
    'icon',
    'manifest',
    'import',
    'next',
    'alternate stylesheet',
    'apple-touch-icon',
    'expect',
  ].map((rel) => `<link rel="${rel}" as="image" href="${address()}" ${handlers()}>`);
  return [
    ...links,
    `<base href="${origin}/" target="_top">`,
    `<script>${run()}</script><script src="${address()}"></script><script type="module">${run()}</script>`,
    `<script type="module" src="${address()}"></script>`,
    `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${address()}"]}]}</script>`,
    `<style>@import "${address()}"; @font-face { font-family: f; src: url(${address()}) } * { animation: a 1ms; font-family: f, serif; }
      @keyframes a { to { background: url(${address()}) } } body { background: url(${address()}); cursor: url(${address()}), auto; }</style>`,
    every(
      ['img', 'script', 'iframe', 'embed', 'video', 'audio', 'source', 'track', 'frame', 'input type=image'],
      'src',
    ),
    every(['object'], 'data'),
    every(['video'], 'poster'),
    every(['body', 'table', 'td'], 'background'),
    `<img src="data:image/png;base64,x" ${handlers()}><img srcset="${address()} 2x"><picture><source srcset="${address()}"><img></picture>`,
    `<iframe srcdoc="<script>${run()}</script>"></iframe><iframe src="javascript:${run()}"></iframe>`,
    `<iframe srcdoc="&lt;link rel=preconnect href='${address()}'>&lt;link rel='dns-prefetch' href='${address()}'>"></iframe>`,
    `<template shadowrootmode="open"><link rel="pre&#99;onnect" href="${address()}"></template>`,
    `<iframe src="data:text/html,<script>${run()}</script>"></iframe><object data="javascript:${run()}"></object>`,
    `<svg ${handlers()}><script>${run()}</script><image href="${address()}"/><use href="${address()}#a"/><animate onbegin="${run()}" attributeName="x" dur="1ms"/></svg>`,
    `<math><mtext><script>${run()}</script></mtext></math><noscript><img src="${address()}"></noscript>`,
    `<details open ${handlers()}><summary>More</summary></details><marquee ${handlers()}>Text</marquee>`,
    `<input autofocus ${handlers()}><button popovertarget="p" ${handlers()}>Popover</button><dialog open id="p">Hi</dialog>`,
    `<a id="away" href="${address()}" target="_top" ping="${address()}" ${handlers()}>Away</a>`,
    `<a id="blank" href="${address()}" target="_blank">New window</a><a id="here" href="${address()}" target="_self">Here</a>`,
    `<a id="code" href="javascript:${run()}" target="_self">Code</a><a id="load" download href="${address()}">Load</a>`,
    `<form action="${address()}" method="post" target="_top"><input name="a"><button id="send">Send</button></form>`,
    `<form><button id="override" formaction="javascript:${run()}">Override</button></form>`,
    `<meta http-equiv="refresh" content="0;url=${address()}">`,
    `<meta http-equiv="Content-Security-Policy" content="default-src *; script-src 'unsafe-inline'">`,
    `<meta http-equiv="Set-Cookie" content="planted=1">`,
  ].join('\n');
}

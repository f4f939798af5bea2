/** Vite takes them apart. */
declare module '*.css';

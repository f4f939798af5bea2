/** Vite handles these imports. */
declare module '*.css';

import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: fileOf('.'),
  base: '/',
  publicDir: false,
  plugins: [react()],
  resolve: {
    alias: {
      'batonpass/react/style.css': fileOf('../batonpass/src/react/style.css'),
      'batonpass/react': fileOf('../batonpass/src/react.ts'),
      'batonpass/browser': fileOf('../batonpass/src/browser.ts'),
    },
  },
  build: {
    // Beside the command and the library: what the package's server serves.
    outDir: fileOf('../batonpass/dist/studio'),
    emptyOutDir: true,
    target: 'es2023',
    // The server's policy allows no inline script, no inline style and no data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});

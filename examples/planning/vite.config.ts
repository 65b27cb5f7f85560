import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `serve.ts` listens. */
const server = 'http://127.0.0.1:4780';

export default defineConfig({
  plugins: [react()],
  server: { proxy: { '/chat': server, '/extract': server, '/plan': server } },
});

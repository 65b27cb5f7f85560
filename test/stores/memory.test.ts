import { createMemoryStore } from '../../packages/batonpass/src/stores/memory/store.ts';
import { exercise } from './exercise.ts';

exercise({
  name: 'memory',
  open: async (surroundings) => createMemoryStore(surroundings),
  capabilities: { durable: false, concurrent_processes: false, notifications: 'process' },
});

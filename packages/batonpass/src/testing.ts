/** The suite that every store of Baton passes, for stores written elsewhere. */
export { exerciseStore } from './stores/contract/exercise.ts';

import { config } from 'zod';

// A command checks one input: to compile the checks first costs more than it saves.
config({ jitless: true });

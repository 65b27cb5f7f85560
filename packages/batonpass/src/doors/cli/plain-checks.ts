import { config } from 'zod';

// A command checks one input: compiling the checks first costs more than it saves.
config({ jitless: true });

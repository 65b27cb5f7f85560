import { createPlanServer } from './plan-server.ts';

const server = await createPlanServer(process.cwd());
server.listen(4780, '127.0.0.1', () => console.log('The routes of the example: http://127.0.0.1:4780'));

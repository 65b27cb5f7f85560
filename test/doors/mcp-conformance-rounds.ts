import {
  acceptedContent,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequests,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** What the conformance suite asks of a server that needs something of its client before it can answer. */
export function registerRounds(server: McpServer): void {
  for (const [name, answer] of Object.entries(rounds)) {
    server.registerTool(name, { description: name }, answer);
  }
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks for its context' }, ({ mcpReq }) => {
    const given = acceptedContent<{ context: string }>(mcpReq.inputResponses, 'user_context');
    if (given === undefined) return inputRequired({ inputRequests: { user_context: askFor('context') } });
    return { messages: [{ role: 'user', content: { type: 'text', text: `Prompt with context: ${given.context}` } }] };
  });
  const properties = { region: { type: 'string', 'x-mcp-header': 'Region' } };
  server.registerTool(
    'test_header_parameter',
    { description: 'Repeats an argument in a header', inputSchema: fromJsonSchema({ type: 'object', properties }) },
    (given) => said(JSON.stringify(given)),
  );
}

const codec = createRequestStateCodec<{ name?: string }>({ key: 'a key for tests alone: 32 bytes or more' });

const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });

function askFor(field: string, type: 'string' | 'boolean' = 'string') {
  const property = type === 'string' ? { type: 'string' as const } : { type: 'boolean' as const };
  return inputRequired.elicit({
    message: `Tell the ${field}`,
    requestedSchema: { type: 'object', properties: { [field]: property }, required: [field] },
  });
}

const askModel = () =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
    maxTokens: 100,
  });

/** Asks once, then answers by what came; a declared capability that is missing is refused by the protocol's code. */
function asking(inputRequests: InputRequests, answer: (context: ServerContext) => string | undefined) {
  return (context: ServerContext) => {
    const text = answer(context);
    return text === undefined ? inputRequired({ inputRequests }) : said(text);
  };
}

const nameOf = ({ mcpReq }: ServerContext) =>
  acceptedContent<{ name: string }>(mcpReq.inputResponses, 'user_name')?.name;
const isAnswered = ({ mcpReq }: ServerContext, key: string) =>
  inputResponse(mcpReq.inputResponses, key).kind !== 'missing';
const hello = (context: ServerContext) => {
  const name = nameOf(context);
  return name === undefined ? undefined : `Hello, ${name}!`;
};

const rounds = {
  test_input_required_result_elicitation: asking({ user_name: askFor('name') }, hello),
  test_missing_capability: asking({ sample_request: askModel() }, () => undefined),
  test_streaming_elicitation: asking({ user_name: askFor('name') }, hello),
  test_input_required_result_sampling: asking({ sample_request: askModel() }, (context) =>
    isAnswered(context, 'sample_request') ? 'Sampling result' : undefined,
  ),
  test_input_required_result_list_roots: asking({ roots_request: inputRequired.listRoots() }, (context) =>
    isAnswered(context, 'roots_request') ? 'Found the roots' : undefined,
  ),
  test_input_required_result_capabilities: ({ mcpReq }: ServerContext) => {
    const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
    const declared = Object(envelope?.['io.modelcontextprotocol/clientCapabilities']) as Record<string, unknown>;
    const inputRequests: InputRequests = {};
    if (declared.elicitation !== undefined) inputRequests.user_name = askFor('name');
    if (declared.sampling !== undefined) inputRequests.greeting = askModel();
    return Object.keys(inputRequests).length === 0 ? said('Nothing can be asked.') : inputRequired({ inputRequests });
  },
  test_input_required_result_multiple_inputs: async (context: ServerContext) => {
    const keys = ['user_name', 'greeting', 'client_roots'];
    if (keys.every((key) => isAnswered(context, key))) return said('All answered');
    const inputRequests = {
      user_name: askFor('name'),
      greeting: askModel(),
      client_roots: inputRequired.listRoots(),
    };
    return inputRequired({ inputRequests, requestState: await codec.mint({}, context) });
  },
  test_input_required_result_request_state: (context: ServerContext) => askToConfirm(context),
  test_input_required_result_tampered_state: (context: ServerContext) => askToConfirm(context),
  test_input_required_result_multi_round: async (context: ServerContext) => {
    const { inputResponses } = context.mcpReq;
    const state = await stateOf(context);
    const color = acceptedContent<{ color: string }>(inputResponses, 'step2')?.color;
    if (state?.name !== undefined && color !== undefined) return said(`${state.name} likes ${color}`);
    const name = acceptedContent<{ name: string }>(inputResponses, 'step1')?.name;
    const inputRequests: InputRequests = name === undefined ? { step1: askFor('name') } : { step2: askFor('color') };
    return inputRequired({ inputRequests, requestState: await codec.mint({ name }, context) });
  },
};

/** The state that came back. @throws where it is not one of ours. */
async function stateOf(context: ServerContext): Promise<{ name?: string } | undefined> {
  const given = context.mcpReq.requestState<string>();
  if (given === undefined) return undefined;
  return codec.verify(given, context);
}

async function askToConfirm(context: ServerContext) {
  const state = await stateOf(context);
  if (state !== undefined && isAnswered(context, 'confirm')) return said('state-ok: requestState validated');
  return inputRequired({
    inputRequests: { confirm: askFor('ok', 'boolean') },
    requestState: await codec.mint({}, context),
  });
}

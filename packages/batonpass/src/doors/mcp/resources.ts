import { ResourceTemplate, type ServerContext, type Variables } from '@modelcontextprotocol/server';
import type { Door } from './door.ts';
import { toLine } from './shown-results.ts';
import { toJsonText, toProtocolError } from './tool-results.ts';

/** At most so many lines of the queue; handoff_read gives a longer one page by page. */
const QUEUE_LINES_MAX = 50;
/** At most so many ids are offered to a client while it types one. */
const COMPLETIONS_MAX = 20;

/** What a host can attach to a conversation by its address: the queue, a handoff as data, and as text for a context. */
export function registerResources(door: Door): void {
  registerQueue(door);
  registerTemplate(door, {
    name: 'handoff',
    uri: 'baton://handoff/{id}',
    title: 'Handoff',
    description: 'A complete handoff as JSON, without the token of its lease',
    mimeType: 'application/json',
    read: async (id, context) => toJsonText(await door.baton.handoff.get({ id }, door.optionsOf(context))),
  });
  registerTemplate(door, {
    name: 'handoff-context',
    uri: 'baton://handoff/{id}/context',
    title: 'Handoff as context',
    description: 'A handoff as the text that a receiver gets',
    mimeType: 'text/plain',
    read: async (id, context) => {
      const { text, situation } = await door.baton.handoff.render({ id }, door.optionsOf(context));
      return `${text}\n${situation}`;
    },
  });
}

function registerQueue({ server, baton, optionsOf, logDefect }: Door): void {
  const mimeType = 'application/json';
  const config = {
    title: 'Open handoffs',
    description: 'The open handoffs of this project, newest first',
    mimeType,
  };
  server.registerResource('queue', 'baton://queue', config, async (uri, context) => {
    try {
      const { handoffs, cursor } = await baton.handoff.list(
        { state: ['open'], limit: QUEUE_LINES_MAX },
        optionsOf(context),
      );
      const lines = handoffs.map((handoff) => toLine(handoff, baton.context.now()));
      const text = toJsonText({ handoffs: lines, is_whole: cursor === undefined });
      return { contents: [{ uri: uri.href, mimeType, text }] };
    } catch (error) {
      throw toProtocolError(error, logDefect);
    }
  });
}

interface Template {
  name: string;
  uri: string;
  title: string;
  description: string;
  mimeType: string;
  read: (id: string, context: ServerContext) => Promise<string>;
}

function registerTemplate(door: Door, { name, uri, title, description, mimeType, read }: Template): void {
  const template = new ResourceTemplate(uri, { list: undefined, complete: { id: (begun) => completeId(door, begun) } });
  const config = { title, description, mimeType };
  const readOne = async (address: URL, { id }: Variables, context: ServerContext) => {
    try {
      const text = await read(String(id), context);
      return { contents: [{ uri: address.href, mimeType, text }] };
    } catch (error) {
      throw toProtocolError(error, door.logDefect);
    }
  };
  door.server.registerResource(name, template, config, readOne);
}

/** The newest handoffs whose id begins or ends so. */
async function completeId({ baton, logDefect }: Door, begun: string): Promise<string[]> {
  const part = begun.toUpperCase();
  try {
    const { handoffs } = await baton.handoff.list({ limit: 200 });
    const ids = handoffs.map(({ id }) => id);
    return ids.filter((id) => id.startsWith(part) || id.endsWith(part)).slice(0, COMPLETIONS_MAX);
  } catch (error) {
    throw toProtocolError(error, logDefect);
  }
}

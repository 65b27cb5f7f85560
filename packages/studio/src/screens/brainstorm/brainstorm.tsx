import type { ChatFacts } from '../../../../batonpass/src/operations/chat/describe-chat.ts';
import { ask } from '../../server/call.ts';
import { useLoaded } from '../../server/use-live.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import '../flow.css';
import { Loaded } from '../loaded.tsx';
import './brainstorm.css';
import { type BrainstormHead, listBrainstorms } from './chat-shelf.ts';
import { ChatView } from './chat-view.tsx';
import { findProject } from './find-project.ts';
import { type OpenChat, openChat } from './open-chat.ts';
import { Start } from './start.tsx';

interface Found {
  project: string;
  opened: OpenChat | null;
  heads: readonly BrainstormHead[];
}

/** A brainstorm of this browser by its address, or the beginning of one. */
export default function BrainstormScreen({ id }: ScreenProps) {
  const facts = useChatFacts();
  const live = useLoaded(() => find(id));
  return (
    <Loaded live={live} what="the brainstorm">
      {({ project, opened, heads }) =>
        opened === null ? (
          <Start project={project} facts={facts} heads={heads} isMissing={id !== undefined} />
        ) : (
          <ChatView opened={opened} facts={facts} />
        )
      }
    </Loaded>
  );
}

async function find(id: string | undefined): Promise<Found> {
  const project = await findProject();
  const opened = id === undefined ? null : await openChat(project, id);
  return { project, opened, heads: opened === null ? await listKept(project) : [] };
}

/** A browser that keeps nothing has none, and says so where something is to be kept. */
function listKept(project: string): Promise<readonly BrainstormHead[]> {
  return listBrainstorms(project).catch(() => []);
}

/** Whether a model answers, as the server knows now; a server that is away says so by itself. */
function useChatFacts(): ChatFacts | undefined {
  return useLoaded(async (signal) => (await (await ask('/api/chat', { signal })).json()) as ChatFacts).value;
}

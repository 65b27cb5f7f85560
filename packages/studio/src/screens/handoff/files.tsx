import type { Content } from '../../../../batonpass/src/core/content.ts';
import { describeDrift, type FileDrift, hasDrifted } from '../../../../batonpass/src/core/drift.ts';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { call } from '../../server/call.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { useLive } from '../../server/use-live.ts';
import { List, Quote } from './content-parts.tsx';

/** The files, and what became of each since, in the work tree of the server. */
export function Files({ handoff }: { handoff: Handoff }) {
  const { content } = handoff;
  return content.files.length === 0 ? null : <CheckedFiles handoff={handoff} />;
}

function CheckedFiles({ handoff: { id, content } }: { handoff: Handoff }) {
  const { value, error, reload } = useLive((signal) => call('handoff.check', { id }, { signal }), {
    filter: { handoff_id: id },
  });
  const checked = value?.handoffs[0]?.files;
  return (
    <div className="handoff-files">
      <List title="Files" entries={content.files} toKey={({ id: key }) => key}>
        {(file) => (
          <File file={file} drift={checked?.find((each) => each.id === file.id)} branch={content.origin?.branch} />
        )}
      </List>
      <p className="handoff-check" role="status">
        {checked === undefined && error !== undefined
          ? `What became of them is not known here. ${describeProblem(error)}`
          : describeCheck(checked)}{' '}
        <button type="button" className="baton-button baton-small" onClick={() => void reload()}>
          Look again
        </button>
      </p>
    </div>
  );
}

function describeCheck(checked: readonly FileDrift[] | undefined): string {
  if (checked === undefined) return 'Looking at them…';
  const drifted = checked.filter(hasDrifted).length;
  const unknown = checked.filter(({ verdict }) => verdict === 'unknown' || verdict === 'no-git').length;
  if (drifted + unknown === 0) return 'None has changed since.';
  const told = [`${drifted} of ${checked.length} changed since`, ...(unknown === 0 ? [] : [`${unknown} not known`])];
  return `${told.join(', ')}.`;
}

/** What a verdict is called where one word must do. */
const words: Readonly<Record<FileDrift['verdict'], string>> = {
  unchanged: 'Unchanged',
  edited: 'Changed',
  renamed: 'Moved',
  deleted: 'Missing',
  'not-on-this-branch': 'Missing here',
  'uncommitted-and-missing': 'Missing',
  'no-git': 'Not known',
  unknown: 'Not known',
};

interface FileProps {
  file: Content['files'][number];
  drift: FileDrift | undefined;
  branch: string | undefined;
}

function File({ file: { path, relevance, context, evidence }, drift, branch }: FileProps) {
  return (
    <>
      <span className="handoff-mark" data-level={relevance}>
        {relevance}
      </span>{' '}
      <code className="baton-path">{showHidden(path)}</code>
      {context === '' ? null : <p>{showHidden(context)}</p>}
      {drift === undefined ? null : (
        <p className="handoff-drift" data-verdict={drift.verdict}>
          <strong>{drift.reason === 'path-refused' ? 'Outside the project' : words[drift.verdict]}</strong>{' '}
          {drift.verdict === 'unchanged' ? null : (
            <>
              <span>{describeDrift(drift, showHidden)}.</span> <span>{adviceFor(drift, branch)}</span>
            </>
          )}
        </p>
      )}
      <Quote evidence={evidence} />
    </>
  );
}

/** What to do about a file that is not what it was. */
function adviceFor({ verdict, renamed_to, touches_lines, reason }: FileDrift, branch: string | undefined): string {
  switch (verdict) {
    case 'edited':
      return touches_lines === false
        ? 'The lines that matter are as they were.'
        : 'Read it again before relying on what is said of it.';
    case 'renamed':
      return `Look at ${showHidden(renamed_to ?? 'its new place')} instead.`;
    case 'deleted':
      return 'See whether what is said of it still holds.';
    case 'not-on-this-branch':
      return branch === undefined ? 'Look on the branch that it was written on.' : `Look on ${showHidden(branch)}.`;
    case 'uncommitted-and-missing':
      return 'Ask whoever wrote it: it was never committed.';
    case 'unknown':
      return reason === 'path-refused' ? 'It is not looked at.' : 'Look for yourself.';
    default:
      return '';
  }
}

import { useStore } from 'zustand';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { version } from '../../../../batonpass/src/version.ts';
import { call } from '../../server/call.ts';
import { connection } from '../../server/events.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { leave } from '../../server/session.ts';
import { useLoaded } from '../../server/use-live.ts';
import { announceFailure } from '../../shell/announcements.ts';
import { preferences, setPreferences, themes } from '../../shell/preferences.ts';
import './settings.css';

const themeWords = { system: 'Same as the system', light: 'Light', dark: 'Dark' } as const;

/** The user's preferences for this browser, and the studio's connection. */
export default function Settings() {
  const { theme, hasSingleKeys } = useStore(preferences);
  return (
    <div className="settings">
      <h1 className="studio-title">Settings</h1>
      <fieldset>
        <legend>Colours</legend>
        {themes.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="theme"
              checked={theme === each}
              onChange={() => setPreferences({ theme: each })}
            />{' '}
            {themeWords[each]}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>Keyboard</legend>
        <label>
          <input
            type="checkbox"
            checked={hasSingleKeys}
            onChange={(event) => setPreferences({ hasSingleKeys: event.target.checked })}
          />{' '}
          Single-letter keys, such as J and K
        </label>
        <p className="baton-hint">Ctrl+K finds every command without them, too.</p>
      </fieldset>
      <ConnectionFacts />
    </div>
  );
}

const connectionWords = {
  connecting: 'connecting',
  live: 'live: changes show at once',
  lost: 'lost: trying again',
} as const;

function ConnectionFacts() {
  const { state } = useStore(connection);
  const { value: status, error } = useLoaded((signal) => call('handoff.status', {}, { signal }));
  const facts: readonly (readonly [string, string])[] = [
    ['Server', location.origin],
    ['Connection', connectionWords[state]],
    ...(status === undefined
      ? []
      : ([
          ['You', `${status.actor.name} (${status.actor.type})`],
          ['Project', status.project],
          ['Store', status.store],
          ['Folder', status.root],
        ] as const)),
    ['Version', version],
  ];
  return (
    <section aria-labelledby="connection">
      <h2 id="connection">Connection</h2>
      {error === undefined || status !== undefined ? null : <p role="alert">{describeProblem(error)}</p>}
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{showHidden(value)}</dd>
          </div>
        ))}
      </dl>
      <p>
        <a href="/reference">Reference of the API</a>
      </p>
      <Button
        label="Sign this browser out"
        onClick={() => void leave().catch((problem: unknown) => announceFailure(describeProblem(problem)))}
      />
    </section>
  );
}

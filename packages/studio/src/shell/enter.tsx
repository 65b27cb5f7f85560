import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import { describeProblem } from '../server/server-problem.ts';
import { enter, session } from '../server/session.ts';

/** Asks to be let in. What was shown stays behind it, and the address keeps what it named. */
export function Enter() {
  const { reason } = useStore(session);
  const [said, setSaid] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const secret = String(new FormData(form).get('token') ?? '').trim();
    setBusy(true);
    try {
      await enter(secret);
    } catch (error) {
      setSaid(describeProblem(error));
      form.reset();
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="studio-enter" aria-labelledby="enter-title">
      <h1 id="enter-title">The server does not know this browser</h1>
      <p>
        A server forgets its browsers when it is started again. Run <code>baton studio</code> in the same folder: it
        opens a browser that is let in, and this page goes on by itself. Or give a token.
      </p>
      <form onSubmit={(event) => void submit(event)}>
        <label htmlFor="token">Token</label>
        <input id="token" name="token" type="password" autoComplete="off" required className="baton-field" />
        <button type="submit" className="baton-button baton-primary" disabled={isBusy}>
          Enter
        </button>
      </form>
      <p role="alert" className="baton-failed">
        {said}
      </p>
      {said === '' && reason !== '' ? <p className="baton-hint">{reason}</p> : null}
    </section>
  );
}

import { findEffect } from './writeEffects.ts'

/** TABLE  action → its phrase in the history, after a name, where no write says its effect (writeEffects.ts). */
export const HISTORY_WORDS: Readonly<Record<string, string>> = {
  'session.signIn': 'signed in',
  'session.refused': 'was refused a sign-in',
  'webhook.disable': 'disabled the webhook',
  'outbox.reveal': 'read the link or password in an email',
}

/** Returns the phrase of an action: that of its effect, such as "paused it", or its own; undefined for any other. */
export const historyWords = (action: string): string | undefined =>
  findEffect(action)?.did ?? (Object.hasOwn(HISTORY_WORDS, action) ? HISTORY_WORDS[action] : undefined)

import type { NounId } from './nouns.ts'
import { findEffect } from './writeEffects.ts'

/**
 * Phrases of the history by noun and verb, after a name, for calls without an effect in writeEffects.ts.
 * They load with its screen.
 */
export const HISTORY_WORDS = {
  project: {
    setStatus: 'changed the status',
    mailPartner: 'emailed a partner',
    mailPartnerNow: 'emailed a partner',
    setCost: 'set the cost',
    askQuote: 'asked for a new quote',
    notifyCostNow: 'emailed the client about the cost',
    quoteOpened: 'opened the quote',
    ask: 'asked a question',
    createChild: 'added a child project',
    assign: 'asked for quotes',
    removeTeam: 'removed the team',
  },
  desk: {
    acknowledge: 'acknowledged a line of the desk',
    snooze: 'snoozed a line of the desk',
    reopen: 'opened a line of the desk again',
    handOver: 'handed over a line of the desk',
  },
  request: {
    create: 'requested the project',
  },
  campaign: {
    editProject: 'edited the project',
    authorize: 'approved the quote',
  },
  service: {
    setUsers: 'changed access to services',
    request: 'asked for access to visitation',
  },
  visit: {
    ingest: 'added visits',
    rebuild: 'recounted visits',
  },
  proffer: {
    quote: 'answered with a binding quote',
  },
  invitation: {
    link: 'copied a partner’s link',
    revoke: 'revoked a partner’s invitation',
    opened: 'opened the request',
    requestLink: 'asked for a new link',
  },
  activity: {
    linkSurvey: 'linked a survey',
    linkGroups: 'linked location groups',
    unlinkGroup: 'unlinked a location group',
    duplicate: 'duplicated the activity',
  },
  survey: {
    refresh: 'refreshed the questions',
    applyComparison: 'applied changed questions',
  },
  question: {
    reorder: 'moved questions',
    bulk: 'changed questions',
  },
  category: {
    set: 'changed the categories',
  },
  reward: {
    upload: 'uploaded people to reward',
  },
  content: {
    review: 'reviewed content',
    reviewMany: 'reviewed content',
    import: 'imported content',
  },
  landing: {
    save: 'saved the landing page',
  },
  target: {
    copy: 'copied an audience',
  },
  location: {
    createOlder: 'added the location',
    editOlder: 'edited the location',
    removeOlder: 'deleted the location',
  },
  group: {
    moveLocations: 'moved locations',
  },
  file: {
    upload: 'added an asset',
    uploadDocument: 'added a signed document',
    attach: 'added an asset',
    attachToActivity: 'added an asset to an activity',
    addAssets: 'added assets',
    detach: 'removed an asset',
  },
  runtime: {
    ingest: 'imported responses',
    correct: 'corrected a response',
    withdraw: 'withdrew a response',
    clearFraud: 'cleared the fraud flags',
  },
  import: {
    process: 'imported a location file',
    map: 'changed a file’s columns',
    run: 'added locations from a file',
    undo: 'undid a location file',
  },
  export: {
    start: 'exported it',
  },
  session: {
    signIn: 'signed in',
    refused: 'was refused a sign-in',
    signOut: 'signed out',
    actAs: 'began acting as a user',
    actAsByLink: 'began acting as a user',
    switchBack: 'stopped acting as a user',
    forgot: 'asked for a link to the account',
    setPassword: 'set a new password',
    setPasswordSettlers: 'set a new password',
    register: 'registered',
    confirmEmail: 'confirmed a new email',
  },
  account: {
    edit: 'changed their account',
    endOtherSessions: 'signed out all other devices',
    resendEmail: 'had a new email’s link sent again',
    cancelEmail: 'cancelled a new email',
  },
  user: {
    invite: 'invited a user',
    inviteMany: 'invited a user',
    inviteOlder: 'invited a user',
    editOlder: 'changed a user',
    setTeams: 'changed a user’s teams',
    setCompany: 'changed their company',
    removeOlder: 'deleted a user',
    approveEmail: 'approved a new email',
    resendEmail: 'sent a new email’s link again',
    cancelEmail: 'cancelled a new email',
  },
  webhook: {
    rotate: 'made a new secret for the webhook',
    disable: 'disabled the webhook',
    replayFailed: 'sent failed messages again',
  },
  outbox: {
    reveal: 'read the link or password in an email',
  },
} as const satisfies Partial<Record<NounId, Readonly<Record<string, string>>>>

/** Returns the phrase of a call id: that of its effect, such as "paused it", or its own; undefined for any other. */
export function historyWords(call: string): string | undefined {
  const [noun = '', verb = ''] = call.split('.')
  const verbs = (HISTORY_WORDS as Readonly<Record<string, Readonly<Record<string, string>>>>)[noun]
  return verbs && Object.hasOwn(verbs, verb) ? verbs[verb] : (findEffect(call)?.did ?? undefined)
}

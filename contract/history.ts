import { nounOf, wordOf } from './nounOf.ts'
import type { NounId } from './nouns.ts'

/** Phrases of the history by noun and verb, after a name: "Sara Miller set the cost". They load with its screen. */
export const HISTORY_WORDS = {
  project: {
    create: 'requested the project',
    edit: 'edited the project',
    setStatus: 'changed the status',
    pause: 'paused it',
    resume: 'resumed it',
    complete: 'completed it',
    reopen: 'reopened it',
    rejectQuote: 'rejected the quote',
    goLive: 'launched it',
    clone: 'cloned it',
    assignPartner: 'invited a partner',
    mailPartner: 'emailed a partner',
    mailPartnerNow: 'emailed a partner',
    setCost: 'set the cost',
    setOwner: 'assigned the owner',
    askQuote: 'asked for a new quote',
    remove: 'deleted the project',
    restore: 'restored the project',
    notifyCost: 'emailed the client about the cost',
    notifyCostNow: 'emailed the client about the cost',
    quoteOpened: 'opened the quote',
    ask: 'asked a question',
    createChild: 'added a child project',
    approve: 'approved the quote',
    reject: 'rejected the quote or project',
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
    edit: 'edited the project',
    editProject: 'edited the project',
    authorize: 'approved the quote',
  },
  team: {
    addUsers: 'added users',
    removeUsers: 'removed users',
    addProjects: 'linked projects',
    removeProjects: 'unlinked projects',
  },
  brand: {
    create: 'added the brand',
    edit: 'edited the brand',
    remove: 'deleted the brand',
  },
  service: {
    create: 'added the service',
    edit: 'edited the service',
    remove: 'deleted the service',
    addUser: 'gave access to a service',
    removeUser: 'removed access to a service',
    setUsers: 'changed access to services',
    request: 'asked for access to visitation',
  },
  visit: {
    ingest: 'added visits',
    rebuild: 'recounted visits',
  },
  partner: {
    merge: 'merged a partner',
  },
  proffer: {
    create: 'answered the feasibility request',
    quote: 'answered with a binding quote',
  },
  invitation: {
    create: 'invited a partner',
    remind: 'reminded a partner',
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
    copy: 'copied rewards',
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
    create: 'set the audience',
    edit: 'changed the audience',
    copy: 'copied an audience',
  },
  location: {
    create: 'added the location',
    createOlder: 'added the location',
    edit: 'edited the location',
    editOlder: 'edited the location',
    remove: 'deleted the location',
    removeOlder: 'deleted the location',
    addToGroups: 'added locations',
    merge: 'merged duplicates',
  },
  group: {
    create: 'created the group',
    edit: 'renamed it',
    remove: 'deleted the group',
    addLocations: 'added locations',
    removeLocations: 'removed locations',
    moveLocations: 'moved locations',
    merge: 'merged groups into it',
    copy: 'copied the group',
  },
  note: {
    create: 'added a note',
    edit: 'changed a note',
    remove: 'deleted a note',
  },
  file: {
    upload: 'added an asset',
    uploadDocument: 'added a signed document',
    attach: 'added an asset',
    attachToActivity: 'added an asset to an activity',
    addAssets: 'added assets',
    detach: 'removed an asset',
    remove: 'deleted an asset',
  },
  entry: {
    redeem: 'paid rewards',
    reject: 'rejected rewards',
    secondChance: 'reinstated rewards',
    clear: 'cleared the pending rewards',
  },
  runtime: {
    ingest: 'imported responses',
    correct: 'corrected a response',
    withdraw: 'withdrew a response',
    clearFraud: 'cleared the fraud flags',
  },
  award: {
    create: 'awarded a VIP experience',
    withdraw: 'withdrew VIP awards',
  },
  notification: {
    send: 'sent the notification',
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
    endSession: 'signed out a device',
    endOtherSessions: 'signed out all other devices',
    resendEmail: 'had a new email’s link sent again',
    cancelEmail: 'cancelled a new email',
  },
  user: {
    invite: 'invited a user',
    inviteMany: 'invited a user',
    inviteOlder: 'invited a user',
    edit: 'changed a user',
    editOlder: 'changed a user',
    setTeams: 'changed a user’s teams',
    setCompany: 'changed their company',
    remove: 'deleted a user',
    removeOlder: 'deleted a user',
    resendActivation: 'sent an invitation again',
    resetPassword: 'sent a temporary password',
    approveEmail: 'approved a new email',
    resendEmail: 'sent a new email’s link again',
    cancelEmail: 'cancelled a new email',
  },
  key: {
    revoke: 'revoked the API key',
  },
  token: {
    revoke: 'revoked the token',
  },
  webhook: {
    pause: 'paused the webhook',
    resume: 'resumed the webhook',
    rotate: 'made a new secret for the webhook',
    disable: 'disabled the webhook',
    replayFailed: 'sent failed messages again',
  },
  outbox: {
    reveal: 'read the link or password in an email',
  },
} as const satisfies Partial<Record<NounId, Readonly<Record<string, string>>>>

/** Phrases for verbs that need no noun's own phrase. */
const PLAIN: Readonly<Record<string, string>> = { create: 'added', edit: 'changed', remove: 'deleted', restore: 'restored' }

/** Returns the phrase of a call id: its own, or "added the partner" for a plain verb; undefined for any other. */
export function historyWords(call: string): string | undefined {
  const [noun = '', verb = ''] = call.split('.')
  const verbs = (HISTORY_WORDS as Readonly<Record<string, Readonly<Record<string, string>>>>)[noun]
  if (verbs && Object.hasOwn(verbs, verb)) return verbs[verb]
  return nounOf(noun)?.words && Object.hasOwn(PLAIN, verb) ? `${PLAIN[verb]} the ${wordOf(noun)}` : undefined
}

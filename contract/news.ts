import type { Term } from './vocabulary.ts'

/** When news is mailed: at once, gathered every hour or every morning, or not at all. */
export const NEWS_MAILS = [
  { value: 'now', label: 'At once' },
  { value: 'hourly', label: 'Every hour' },
  { value: 'daily', label: 'Every morning' },
  { value: 'never', label: 'Never' },
] as const satisfies readonly Term[]
export type NewsMail = (typeof NEWS_MAILS)[number]['value']

interface NewsKind {
  /** What the inbox says. */
  readonly line: string
  /** When that is, in the settings: "a quote is sent". */
  readonly when: string
  /** For administrators alone: client users never hear of answers and owners. */
  readonly internal: boolean
  /** When it is mailed by default. What has a mail of its own to the same people isn't mailed twice. */
  readonly mail: NewsMail
}

/** TABLE  what the inbox tells people about projects that they own or follow, and about their own files. */
export const NEWS = {
  request: { line: 'Request in', when: 'a request comes in', internal: true, mail: 'never' },
  answer: { line: 'Partner answered', when: 'a partner answers', internal: true, mail: 'never' },
  quote: { line: 'Quote sent', when: 'a quote is sent', internal: false, mail: 'never' },
  approved: { line: 'Quote approved', when: 'a quote is approved', internal: false, mail: 'never' },
  rejected: { line: 'Rejected', when: 'a quote or project is rejected', internal: false, mail: 'never' },
  message: { line: 'Message', when: 'agency or client writes in a conversation', internal: false, mail: 'never' },
  partnerMessage: { line: 'Partner wrote', when: 'a partner writes in a conversation', internal: true, mail: 'never' },
  live: { line: 'In field', when: 'a project goes live or resumes', internal: false, mail: 'daily' },
  paused: { line: 'Paused', when: 'a project is paused', internal: false, mail: 'daily' },
  ended: { line: 'Completed', when: 'a project is completed', internal: false, mail: 'daily' },
  assigned: { line: 'Assigned to you', when: 'a project is assigned to you', internal: true, mail: 'now' },
  export: { line: 'Export ready', when: 'your export is ready', internal: false, mail: 'never' },
  import: { line: 'Import done', when: 'your import is done', internal: true, mail: 'never' },
} as const satisfies Readonly<Record<string, NewsKind>>

export type NewsKindId = keyof typeof NEWS
/** The kinds' ids, in the order of the table. */
export const NEWS_KINDS = Object.keys(NEWS) as [NewsKindId, ...NewsKindId[]]
/** The kinds that client users get. */
export const CLIENT_NEWS: readonly NewsKindId[] = NEWS_KINDS.filter((id) => !NEWS[id].internal)

/** When a person wants news of a kind by mail. */
export const mailOf = (preferences: Readonly<Record<string, unknown>>, kind: NewsKindId): NewsMail => {
  const chosen = (preferences.news_mail as Partial<Record<string, unknown>> | undefined)?.[kind]
  return NEWS_MAILS.find(({ value }) => value === chosen)?.value ?? NEWS[kind].mail
}

/** What news is about. */
export type NewsSubject = 'project' | 'job'
/** Announcements have the inbox's ids below this one; news about a record has the record's above it. */
const FIRST = 1_000_000_000_000
const SUBJECTS: readonly NewsSubject[] = ['project', 'job']

/** The inbox's id of the news about a record. */
export const newsIdOf = (subject: NewsSubject, id: number): number => FIRST + id * SUBJECTS.length + SUBJECTS.indexOf(subject)
/** The record of such an id; null for an announcement's. */
export const readNewsId = (id: number): { subject: NewsSubject; id: number } | null =>
  id < FIRST ? null : { subject: SUBJECTS[(id - FIRST) % SUBJECTS.length]!, id: Math.floor((id - FIRST) / SUBJECTS.length) }

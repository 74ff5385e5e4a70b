import { z } from 'zod'
import { Allowed, call, EffectSentence, Flag, idList, listOf, one } from './call.ts'
import { columnWord } from './enums.ts'
import { listInput } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { NEWS_KINDS } from './news.ts'

/** One piece of news about a record. */
const NewsLine = z.object({
  kind: z.enum(NEWS_KINDS),
  line: z.string().meta({ description: 'What happened, in words.' }),
  author: z.string().meta({ description: 'Who did it; empty for the server.' }),
  at: z.string(),
  unread: z.boolean(),
})

/** A line of one person's inbox: an announcement, whose id is the notification's, or all the news about one record. */
export const Notice = z.object({
  id: z.number(),
  name: z.string(),
  message: z.string(),
  message_action: columnWord('notice', 'message_action'),
  url: z.string(),
  kind: z
    .enum(['notification', 'project', 'campaign', 'job'])
    .meta({ description: 'What it is about: an announcement, or a record of this noun.' }),
  subject_id: z.number().nullable().meta({ description: 'The record that the news is about; null for an announcement.' }),
  news: z
    .array(NewsLine)
    .meta({ description: 'What happened to the record, newest first, at most 20; empty for an announcement.' }),
  status: columnWord('notice', 'status'),
  read_at: z.string().nullable(),
  created_at: z.string(),
  ...Allowed,
})
export type Notice = z.output<typeof Notice>

const Ids = idList(10_000)

/** The signed text of a link in a mail of news. */
const MailLink = z.string({ error: 'The link is not complete' }).trim().min(1, 'The link is not complete').max(400)
const Stopped = one(
  z.object({
    kinds: z
      .array(
        z.object({
          kind: z.enum(NEWS_KINDS),
          when: z.string().meta({ description: 'When such a mail is sent: “a quote is sent”.' }),
          stopped: z.boolean().meta({ description: 'True if it isn’t mailed any more.' }),
        }),
      )
      .meta({ description: 'The kinds of news that the mail held.' }),
  }),
)

/** The caller's own inbox; nobody can read or mark someone else's. */
export const noticeCalls = {
  'notice.list': call({
    method: 'GET',
    path: '/v3/portal/notifications/inbox',
    about: 'Lists the notifications that the caller received, unread first, then the newest, 10 a page.',
    input: z.object({ ...listInput(sortsOf('notice')), unread: Flag.default(false) }),
    output: listOf(Notice),
  }),
  'notice.unread': call({
    method: 'GET',
    path: '/v3/portal/notifications/unread',
    about: "Counts the caller's unread notifications.",
    input: z.object({}),
    output: one(z.object({ unread: z.number() })),
  }),
  'notice.mark': call({
    method: 'POST',
    path: '/v3/portal/notifications/read',
    about: "Marks the caller's notifications as read, or as unread with read=false: those of ids, or all.",
    undo: true,
    input: z
      .object({ ids: Ids.optional(), all: Flag.default(false), read: Flag.default(true) })
      .superRefine(({ ids, all }, at) => {
        if (!all && !ids?.length) at.addIssue({ code: 'custom', path: ['ids'], message: 'ids is required, or all' })
      }),
    output: one(z.object({ marked: z.number(), unread: z.number() })).extend({ message: EffectSentence }),
  }),
  'notice.mailKinds': call({
    method: 'GET',
    path: '/v3/portal/notifications/mail_kinds',
    limit: 30,
    about: 'Lists the kinds of news that a mail held, by the signed link in it, and which are no longer mailed.',
    input: z.object({ token: MailLink }),
    output: Stopped,
  }),
  'notice.stopMail': call({
    method: 'POST',
    path: '/v3/portal/notifications/stop_mail',
    limit: 30,
    about: 'Stops the mails of one kind of news by the signed link in one of them, or of all kinds in it. It works signed out.',
    input: z.object({ token: MailLink, kind: z.enum(NEWS_KINDS).optional() }),
    output: Stopped.extend({ message: EffectSentence }),
  }),
} as const

import { stripBidi } from '../../contract/bidi.ts'
import { count, dollars, longDate, percent, showDay, showTime } from '../../contract/format.ts'
import { CONFIRM_PAGE, feasibilityPath, PASSWORD_FORM, STOP_MAIL_PAGE } from '../../contract/pages.ts'
import { type Letter, type Link, letter } from './letter.ts'
import type { Organization } from './sendLetter.ts'

/** An invitation; the link's last 64 characters are the token (people-area 7). */
export const invitation = (
  services: Organization,
  to: { link: Link; by: string; client?: string | undefined; days: number },
): Letter =>
  letter({
    product: services.product,
    subject: `You are invited to ${services.product}`,
    paragraphs: [
      `${to.by} invites you to ${services.product}${to.client ? ` to follow the projects of ${to.client}` : ''}.`,
      `Set a password to get started. The link works for ${to.days} days.`,
    ],
    link: { label: 'Accept invitation', ...to.link },
    foot: `Not expecting this? Ignore it, or write to ${services.support_mail}.`,
  })

/** The invitation again; an administrator's resend voids earlier links. */
export const activation = (
  services: Organization,
  to: { first_name: string; link: Link; days: number; replaces?: boolean },
): Letter =>
  letter({
    product: services.product,
    subject: `Activate your ${services.product} account`,
    to: to.first_name,
    paragraphs: [
      `Set a password to activate your ${services.product} account.`,
      `The link works for ${to.days === 1 ? 'one day' : `${to.days} days`}${to.replaces ? ' and replaces the one you got before' : ''}.`,
    ],
    link: { label: 'Activate account', ...to.link },
  })

/** A link to set a new password, valid for one hour. */
export const reset = (services: Organization, to: { first_name: string; link: Link }): Letter =>
  letter({
    product: services.product,
    subject: `Reset your ${services.product} password`,
    to: to.first_name,
    paragraphs: [
      'Someone asked to reset your password. The link works once, for one hour.',
      'If it wasn’t you, ignore this email: your password won’t change.',
    ],
    link: { label: 'Set a new password', ...to.link },
  })

/** A temporary password from the server; it lasts 72 hours and must be changed. */
export const temporaryPassword = (
  services: Organization,
  to: { first_name: string; password: string; link: Link; facts: AccountEvent },
): Letter =>
  letter({
    product: services.product,
    subject: `Your temporary ${services.product} password`,
    to: to.first_name,
    paragraphs: [
      'An administrator has reset your password.',
      `Temporary password: ${to.password}`,
      'It works for 72 hours. You’ll choose a new one when you sign in.',
      ...deedLines(to.facts),
      `You didn’t ask for it? Write to ${services.support_mail}: nobody can sign in with your old password any more.`,
    ],
    link: { label: 'Sign in', ...to.link },
    secrets: [to.password],
  })

/** What happened to an account, where, when and who did it, for the letter to its owner. */
export interface AccountEvent {
  /** The new address, the name of a token, key or webhook, or the new role. */
  name?: string
  /** What a token opens, where a webhook sends, or the device. */
  detail?: string
  /** Another administrator has to approve a new address first. */
  waits?: boolean
  /** Webhooks that were paused by it, and the new address that was cancelled. */
  paused?: readonly string[]
  cancelled?: string | null
  when: string
  from: string
  /** The person who did it, if it wasn't the owner. */
  by: string | null
}
const ROLE_NOW: Readonly<Record<string, string>> = {
  admin: 'You are an administrator now, and see everything.',
  client: 'You are a client user now, and see the projects of your clients.',
}

/** TABLE  what the owner of an account is told, without being asked: the subject, and what happened. */
const ACCOUNT_EVENTS = {
  'new address': (product, { name, waits }) => [
    `A new email for your ${product} account`,
    `${name} is to replace this email. It will once ${waits ? 'a second administrator has approved it and ' : ''}it’s confirmed from there; until then nothing changes.`,
  ],
  'address changed': (product, { name }) => [
    `The email of your ${product} account has changed`,
    `The account is now ${name}. This email no longer opens it.`,
  ],
  'invitation moved': (product, { name }) => [
    `Your invitation to ${product} goes to another email`,
    `The invitation that you got is now for ${name}, and its link no longer works.`,
  ],
  'password changed': (product) => [
    `Your ${product} password was changed`,
    'Your password was changed. All other devices are signed out, and your personal tokens are revoked.',
  ],
  'password reset': (product) => [
    `Your ${product} password was reset`,
    'A new password was set with the link of a reset email. All devices are signed out, and your personal tokens are revoked.',
  ],
  'signed out': (product) => [`Your other devices are signed out of ${product}`, 'All devices but one were signed out.'],
  'new device': (product, { detail }) => [
    `New sign-in to your ${product} account`,
    `Somebody signed in to your account from a device or network that it hasn’t seen before: ${detail}.`,
  ],
  'new token': (product, { name, detail }) => [
    `New token for your ${product} account: ${name}`,
    `The token “${name}” was created. Programs use it in your name. It opens: ${detail}.`,
  ],
  'new key': (product, { name, detail }) => [
    `New API key for ${product}: ${name}`,
    `The API key “${name}” was created in your name. Programs use it to send data. It opens: ${detail}.`,
  ],
  'new webhook': (product, { name, detail }) => [
    `New webhook of your ${product} account: ${name}`,
    `The webhook “${name}” sends what you can see to ${detail} whenever it changes.`,
  ],
  'webhook moved': (product, { name, detail }) => [
    `Your ${product} webhook “${name}” has a new address`,
    `The webhook “${name}” now sends what you can see to ${detail}.`,
  ],
  'role changed': (product, { name }) => [`Your role in ${product} has changed`, ROLE_NOW[name ?? ''] ?? ''],
} as const satisfies Readonly<Record<string, (product: string, event: AccountEvent) => readonly [string, string]>>
export type AccountEventId = keyof typeof ACCOUNT_EVENTS

/** What an owner can do who didn't do it: without the account's mailbox, only somebody else can help. */
const OUT_OF_REACH: readonly AccountEventId[] = ['address changed', 'invitation moved']

/** Lines that say when, from where and who did it, and what stopped with it. */
const deedLines = ({ when, from, by, paused = [], cancelled }: AccountEvent): string[] => [
  [`When: ${when}`, from && `From: ${from}`, by && `By: ${by}`].filter(Boolean).join('\n'),
  ...(paused.length
    ? [`Your webhooks are paused: ${paused.map((name) => `“${name}”`).join(', ')}. Resume those that you know.`]
    : []),
  ...(cancelled ? [`The change of your email to ${cancelled} was cancelled.`] : []),
]

/** Tells an account's owner what happened to it; nobody can turn it off. */
export const accountEvent = (
  services: Organization,
  to: { first_name: string; event: AccountEventId; facts: AccountEvent; link: Link },
): Letter => {
  const [subject, says]: readonly [string, string] = ACCOUNT_EVENTS[to.event](services.product, to.facts)
  const lost = OUT_OF_REACH.includes(to.event)
  return letter({
    product: services.product,
    subject,
    to: to.first_name,
    paragraphs: [
      says,
      ...deedLines(to.facts),
      lost
        ? `Not you? Write to ${services.support_mail} at once.`
        : `Not you? Set a new password at once. It signs out all devices, cancels a new email, revokes your personal tokens and pauses your webhooks. Then write to ${services.support_mail}.`,
    ],
    ...(lost ? {} : { link: { label: 'Set a new password', ...to.link } }),
  })
}

/** To a new address: a link that confirms it, valid for three days. */
export const confirmAddress = (
  services: Organization,
  to: { first_name: string; email: string; by: string | null; link: Link },
): Letter =>
  letter({
    product: services.product,
    subject: `Confirm your new email for ${services.product}`,
    to: to.first_name,
    paragraphs: [
      `${to.by ?? 'You'} asked to change the email of your ${services.product} account to ${to.email}.`,
      'Confirm it to sign in with it from then on. The link works once, for three days.',
    ],
    link: { label: 'Confirm this email', ...to.link },
    foot: `Don’t know about this? Ignore it: nothing changes without your confirmation. Or write to ${services.support_mail}.`,
  })

/** To a webhook's owner: a message failed in every try of a day, or the webhook was disabled. */
export const webhookFails = (
  services: Organization,
  to: { first_name: string; name: string; host: string; message: string; since: string; disabled: boolean; link: Link },
): Letter =>
  letter({
    product: services.product,
    subject: to.disabled ? `Your webhook “${to.name}” is disabled` : `Your webhook “${to.name}” fails`,
    to: to.first_name,
    paragraphs: [
      `${to.host} has taken nothing since ${to.since.slice(0, 16).replace('T', ' ')} UTC. The last try: ${to.message}`,
      to.disabled
        ? 'The webhook is disabled and gets no more messages. Resume it once its receiver responds again; failed messages can be resent for 30 days.'
        : 'A message failed for a day and won’t be retried. The webhook stays active; after three days without a delivery it’s disabled. Failed messages can be resent for 30 days.',
    ],
    link: { label: 'Open the webhook', ...to.link },
  })

/** A test mail that shows an administrator how mails are sent and what they look like. */
export const testMail = (services: Organization, to: { first_name: string }): Letter =>
  letter({
    product: services.product,
    subject: `A test email from ${services.product}`,
    to: to.first_name,
    paragraphs: ['You requested this email on the Organization screen. Email reaches you, with this sender and this footer.'],
  })

/** An anonymous request for an account, to the support address. */
export const requestAccount = (
  services: Organization,
  from: { name: string; company: string; email: string; phone: string },
): Letter =>
  letter({
    product: services.product,
    subject: `Account request from ${from.name}, ${from.company}`,
    paragraphs: [
      'New account request:',
      `Name: ${from.name}\nCompany: ${from.company}\nEmail: ${from.email}\nPhone: ${from.phone}`,
    ],
  })

/** Asks an administrator to give a client user access to visitation services. */
export const serviceRequest = (
  services: Organization,
  to: { first_name: string; name: string; email: string; clients: string; link: Link },
): Letter =>
  letter({
    product: services.product,
    subject: `${to.name} asks for access to visitation`,
    to: to.first_name,
    paragraphs: [
      `${to.name} (${to.email})${to.clients ? ` of ${to.clients}` : ''} sees no service yet and asks to see visits of a brand.`,
      'Give them access in the list of users: select the user, then “Visitation services”.',
    ],
    link: { label: 'Open the users', ...to.link },
  })

/** The facts of a request in a partner's mail, one line each. */
export interface RequestFacts {
  partner: string
  title: string
  code: string
  completes: number
  markets: string
  dates: string
  loi_minutes: number | null
  incidence: number | null
  answer_by: string | null
  message: string
  /** The audience, line by line. */
  audience: readonly { label: string; value: string }[]
  /** What the agency released: the client's requirements, how many files, and whether the survey opens. */
  requirements: string
  files: number
  survey: boolean
  round: number
  /** Why this round was opened, and how the request differs from the one that the partner last answered. */
  why: string
  changes: readonly { field: string; was: string; is: string }[]
  contact: Contact
  link: Link
}
/** Who answers a partner's questions. */
export interface Contact {
  name: string
  email: string
}
const asks = ({ name, email }: Contact): string => `Questions? Write to ${name} at ${email}.`
/** What a partner needs to know of a link that anybody can open who has it. */
export const LINK_FOOT =
  'The link works for 14 days. Whoever has it can answer in your name: share it only with colleagues who should.'

/** A request's title with its code, once. */
const titled = ({ title, code }: { title: string; code: string }): string => (title.includes(code) ? title : `${title} (${code})`)

const factsOf = (to: RequestFacts): string =>
  [
    `Completes: ${count(to.completes)}`,
    `Markets: ${to.markets.length > 200 ? `${to.markets.split('; ').length} market areas` : to.markets}`,
    to.dates && `Field dates: ${to.dates}`,
    ...to.audience.filter(({ value }) => value !== 'Any').map(({ label, value }) => `${label}: ${value}`),
    `Length of interview: ${to.loi_minutes === null ? 'not known yet' : `${to.loi_minutes} minutes`}`,
    `Incidence: ${to.incidence === null ? 'not known yet' : percent(to.incidence)}`,
    to.answer_by && `Please answer by: ${showDay(to.answer_by, 'day and year')}`,
  ]
    .filter(Boolean)
    .join('\n')

/** What the agency released to partners, each part only if there is one. */
const releasedTo = ({ requirements, files, survey }: RequestFacts): string[] => [
  ...(requirements ? [`Requirements:\n${requirements}`] : []),
  ...(files || survey
    ? [
        `The page has ${[files && `${count(files)} ${files === 1 ? 'file' : 'files'}`, survey && 'the questionnaire'].filter(Boolean).join(' and ')} for you.`,
      ]
    : []),
]
/** Why a partner is asked again, and what is different. */
const againTo = ({ round, why, changes }: RequestFacts): string[] =>
  round < 2
    ? []
    : [
        `This is round ${round}: the client didn’t take the earlier offer${why ? `. Why: ${why}` : ''}.`,
        changes.length
          ? `What changed since your last answer:\n${changes.map(({ field, was, is }) => `${field}: ${was} → ${is}`).join('\n')}`
          : 'The request itself is unchanged.',
      ]

/** Asks a partner for a quote; the signed link authenticates them for 14 days (decisions.md 4). */
export const partnerInvitation = (services: Organization, to: RequestFacts): Letter =>
  letter({
    product: services.product,
    subject: `${to.round > 1 ? `Round ${to.round}: can` : 'Can'} you field ${titled(to)}?`,
    to: to.partner,
    paragraphs: [
      to.round > 1 ? `We would like a new answer on "${to.title}".` : `We would like your answer on "${to.title}".`,
      ...againTo(to),
      factsOf(to),
      ...releasedTo(to),
      ...(to.message ? [to.message] : []),
      'Tell us how many completes you can deliver, at what price, or that you can’t. You can correct your answer until the round closes.',
      asks(to.contact),
    ],
    link: { label: 'Answer this request', ...to.link },
    foot: LINK_FOOT,
  })

/** Reminds a partner who hasn't answered, at most once a day. */
export const partnerReminder = (services: Organization, to: RequestFacts): Letter =>
  letter({
    product: services.product,
    subject: `Reminder: can you field ${titled(to)}?`,
    to: to.partner,
    paragraphs: [
      `We are still waiting for your answer on "${to.title}".`,
      ...againTo(to),
      factsOf(to),
      ...releasedTo(to),
      'Declining helps us, too.',
      asks(to.contact),
    ],
    link: { label: 'Answer this request', ...to.link },
    foot: LINK_FOOT,
  })

/** A new link in place of an expired one, on the partner's request. */
export const partnerLink = (services: Organization, to: RequestFacts): Letter =>
  letter({
    product: services.product,
    subject: `Your new link: ${titled(to)}`,
    to: to.partner,
    paragraphs: [
      'Here is a new link to the request. Earlier links no longer work.',
      factsOf(to),
      ...releasedTo(to),
      asks(to.contact),
    ],
    link: { label: 'Open the request', ...to.link },
    foot: LINK_FOOT,
  })

/** Tells the inviting administrator, or all, that a partner answered, corrected or declined. */
export const partnerAnswered = (
  services: Organization,
  to: {
    first_name: string
    partner: string
    project: string
    did: 'answered' | 'corrected' | 'declined'
    facts: string
    link: Link
  },
): Letter =>
  letter({
    product: services.product,
    subject: `${to.partner} ${to.did === 'corrected' ? 'corrected the answer on' : to.did} "${to.project}"`,
    to: to.first_name,
    paragraphs: [to.facts],
    link: { label: 'See all answers', ...to.link },
  })

/** Tells the administrators, who price it, about a client's new request. */
export const requestArrived = (
  services: Organization,
  to: {
    first_name: string
    project: string
    code: string
    client: string
    by: string
    completes: number
    dates: string
    link: Link
  },
): Letter =>
  letter({
    product: services.product,
    subject: `New request from ${to.client}: ${to.project} (${to.code})`,
    to: to.first_name,
    paragraphs: [
      `${to.by} asks for "${to.project}" for ${to.client}.`,
      `Completes: ${count(to.completes)}\nField dates: ${to.dates}`,
      'Invite partners to price it.',
    ],
    link: { label: 'Open the request', ...to.link },
  })

/** Tells the administrators that a client corrected a request that they haven't asked partners about. */
export const requestCorrected = (
  services: Organization,
  to: { first_name: string; project: string; by: string; completes: number; dates: string; link: Link },
): Letter =>
  letter({
    product: services.product,
    subject: `${to.by} corrected the request "${to.project}"`,
    to: to.first_name,
    paragraphs: [`Completes: ${count(to.completes)}\nField dates: ${to.dates}`, 'What changed is in the project’s history.'],
    link: { label: 'Open the request', ...to.link },
  })

/** Tells the administrators who invited its partners that a client asks for a new quote after one expired. */
export const quoteAskedAgain = (
  services: Organization,
  to: { first_name: string; project: string; by: string; valid_until: string | null; message: string; link: Link },
): Letter =>
  letter({
    product: services.product,
    subject: `${to.by} asks for a new quote for "${to.project}"`,
    to: to.first_name,
    paragraphs: [
      `The quote for "${to.project}" expired${to.valid_until ? ` on ${longDate(to.valid_until)}` : ''}, and ${to.by} asks for a new one.`,
      ...(to.message ? [to.message] : []),
    ],
    link: { label: 'Set a new cost', ...to.link },
  })

/** Tells a client the price of their project and asks for a decision. */
export const costNotification = (
  services: Organization,
  to: {
    first_name: string
    project: string
    cost_cents: number
    /** The price sent before it; null for the first. */
    was_cents?: number | null
    valid_until?: string | null | undefined
    completes: number
    /** Null without an order. */
    per_complete_cents: number | null
    dates: string
    contact: Contact
    link: Link
  },
): Letter =>
  letter({
    product: services.product,
    subject: to.was_cents == null ? `The quote for "${to.project}"` : `The quote for "${to.project}" has changed`,
    to: to.first_name,
    paragraphs: [
      `The cost of "${to.project}" is ${dollars(to.cost_cents)}${to.valid_until ? `, valid until ${longDate(to.valid_until)}` : ''}.`,
      ...(to.was_cents == null ? [] : [`Before, it was ${dollars(to.was_cents)}.`]),
      [
        `Completes: ${count(to.completes)}`,
        to.per_complete_cents !== null && `Per complete: ${dollars(to.per_complete_cents)}`,
        to.dates && `Field dates: ${to.dates}`,
      ]
        .filter(Boolean)
        .join('\n'),
      'Please approve or reject it.',
      asks(to.contact),
    ],
    link: { label: 'Review the quote', ...to.link },
  })

/** Reminds the client, once, that a quote expires in two days. */
export const quoteExpires = (
  services: Organization,
  to: { first_name: string; project: string; cost_cents: number; valid_until: string; link: Link },
): Letter =>
  letter({
    product: services.product,
    subject: `The quote for "${to.project}" ends on ${longDate(to.valid_until)}`,
    to: to.first_name,
    paragraphs: [
      `The cost of "${to.project}" is ${dollars(to.cost_cents)}, valid until ${longDate(to.valid_until)}.`,
      'It can’t be approved after that day.',
    ],
    link: { label: 'Review the quote', ...to.link },
  })

const DECIDED = { approved: 'approved the quote for', rejected: 'rejected the quote for', withdrawn: 'rejected' } as const

/** Tells the administrators who invited its partners that a quote or a project was approved or rejected. */
export const quoteDecided = (
  services: Organization,
  to: { first_name: string; project: string; decision: keyof typeof DECIDED; by: string; reason: string; link: Link },
): Letter =>
  letter({
    product: services.product,
    subject: `${to.by} ${DECIDED[to.decision]} "${to.project}"`,
    to: to.first_name,
    paragraphs: [
      `${to.by} ${DECIDED[to.decision]} "${to.project}".`,
      ...(to.reason ? [`Reason: ${to.reason}`] : []),
      ...(to.decision === 'rejected' ? ['A new round is open: set a new cost, or ask the partners again.'] : []),
    ],
    link: { label: 'Open the project', ...to.link },
  })

/** A message of a conversation about a project, for the other side; its link opens the conversation. */
export const messageArrived = (
  services: Organization,
  to: { name: string; by: string; about: string; text: string; link: Link; foot?: string | undefined },
): Letter => {
  const [by, about] = [stripBidi(to.by), stripBidi(to.about)]
  return letter({
    product: services.product,
    subject: `${by} wrote about "${about}"`,
    to: to.name,
    paragraphs: [`${by} wrote:`, to.text],
    link: { label: 'Answer', ...to.link },
    foot: to.foot,
  })
}

/** What a partner is told after their answer: which request, in whose name they ask, and the dates of its fieldwork. */
export interface PartnerNews {
  partner: string
  title: string
  code: string
  dates: string
  contact: Contact
}
/** The same for a partner who was chosen, with their link to the page. */
export interface ChosenNews extends PartnerNews {
  share: { completes: number; cpi_cents: number }
  /** True if the project is in field already. */
  live: boolean
  /** Where they send respondents; empty until the agency sets it. */
  entry_url: string
  link: Link
}

const entryLine = ({ entry_url }: Pick<ChosenNews, 'entry_url'>): string =>
  entry_url ? `Send respondents to: ${entry_url}` : 'Where to send respondents isn’t set yet. Ask us before you start.'

/** Tells a partner what they were chosen for, and what follows. */
export const partnerChosen = (services: Organization, to: ChosenNews): Letter =>
  letter({
    product: services.product,
    subject: `You were chosen: ${titled(to)}`,
    to: to.partner,
    paragraphs: [
      `You were chosen for ${count(to.share.completes)} completes of "${to.title}" at ${dollars(to.share.cpi_cents)} each.`,
      ...(to.dates ? [`Field dates: ${to.dates}`] : []),
      to.live
        ? 'It’s in field now.'
        : 'Please wait with the fieldwork: we’ll write to you when it starts, and if it’s paused or ends.',
      to.live ? entryLine(to) : to.entry_url ? entryLine(to) : 'Where to send respondents comes with the email about the start.',
      asks(to.contact),
    ],
    link: { label: 'Open the request', ...to.link },
    foot: LINK_FOOT,
  })

/** Why a partner isn't needed (any longer); `before` if they were chosen until now. */
const ENDED = {
  other: (to: { title: string; before: boolean }) =>
    to.before
      ? `The order for "${to.title}" has changed, and your part of it has ended. Please deliver nothing more.`
      : `The round for "${to.title}" is closed. We don’t need your offer this time. Thank you for it.`,
  unnamed: (to: { title: string }) =>
    `The round for "${to.title}" is closed: the client has approved a price, and no partner was chosen by name. Thank you for your offer. If we need it after all, we’ll ask you.`,
  unanswered: (to: { title: string }) => `The round for "${to.title}" is closed. We no longer need your answer.`,
  called_off: (to: { title: string; before: boolean }) =>
    to.before
      ? `"${to.title}" was called off. You were chosen for it: please deliver nothing more.`
      : `"${to.title}" was called off, so no offer is needed. Thank you.`,
  again: (to: { title: string }) =>
    `The client didn’t approve the new price of "${to.title}", so your part of the order has ended. Please deliver nothing more. If there is a new round, we’ll ask you again.`,
  revoked: (to: { title: string; before: boolean }) =>
    `We have withdrawn the request "${to.title}". You needn’t answer, and an answer that you sent is no longer needed. Thank you.`,
} as const
export type EndedWhy = keyof typeof ENDED

/** Tells a partner that a request needs nothing more from them. */
export const partnerEnded = (services: Organization, to: PartnerNews & { why: EndedWhy; before: boolean }): Letter =>
  letter({
    product: services.product,
    subject: `${to.why === 'called_off' ? 'Called off' : to.why === 'revoked' ? 'Withdrawn' : 'Round closed'}: ${titled(to)}`,
    to: to.partner,
    paragraphs: [ENDED[to.why](to), asks(to.contact)],
  })

const FIELDWORK = {
  started: { subject: 'Fieldwork has started', says: (title: string) => `"${title}" is in field. You can start.` },
  resumed: { subject: 'Fieldwork goes on', says: (title: string) => `"${title}" is in field again. Please go on.` },
  paused: {
    subject: 'Fieldwork is paused',
    says: (title: string) => `"${title}" is paused. Please send nobody until we write to you that it goes on.`,
  },
  ended: {
    subject: 'Fieldwork has ended',
    says: (title: string) => `The fieldwork of "${title}" has ended. Please send nobody any more. Thank you for your work.`,
  },
} as const
export type FieldworkNews = keyof typeof FIELDWORK

/** Tells a chosen partner that the fieldwork starts, goes on, pauses or ends. */
export const partnerFieldwork = (services: Organization, to: ChosenNews & { news: FieldworkNews }): Letter =>
  letter({
    product: services.product,
    subject: `${FIELDWORK[to.news].subject}: ${titled(to)}`,
    to: to.partner,
    paragraphs: [
      FIELDWORK[to.news].says(to.title),
      ...(to.live
        ? [
            `Your part: ${count(to.share.completes)} completes at ${dollars(to.share.cpi_cents)} each${to.dates ? `\nField dates: ${to.dates}` : ''}`,
            entryLine(to),
          ]
        : []),
      asks(to.contact),
    ],
    link: { label: 'Open the request', ...to.link },
    foot: LINK_FOOT,
  })

/** A notification, for users who want it by mail. */
export const notificationMail = (
  services: Organization,
  to: {
    first_name: string
    name: string
    message: string
    message_action: 'map' | 'feed' | 'web'
    url: string
    publicUrl: string
  },
): Letter =>
  letter({
    product: services.product,
    subject: to.name,
    to: to.first_name,
    paragraphs: [to.message],
    link:
      to.message_action === 'web'
        ? { label: 'Open the link', url: to.url }
        : { label: `Open ${services.product}`, url: `${to.publicUrl}/dashboard/inbox` },
    foot: `You’re receiving this because you chose “Email me notifications” in your account settings.`,
  })

interface NewsRecord {
  name: string
  link: Link
  lines: readonly { line: string; by: string; at: string }[]
}

/** What happened to the records that somebody follows, all in one mail. */
export const newsMail = (
  services: Organization,
  to: { first_name: string; records: readonly NewsRecord[]; zone: string; inbox: Link; stop: Link },
): Letter => {
  const [first] = to.records
  const alone = to.records.length === 1 ? first : undefined
  return letter({
    product: services.product,
    subject: alone
      ? `${[...new Set(alone.lines.map(({ line }) => line))].join(', ')}: ${alone.name}`
      : `News about ${first?.name} and ${count(to.records.length - 1)} more`,
    to: to.first_name,
    paragraphs: to.records.map(({ name, lines, link }) =>
      [
        name,
        ...lines.map(
          ({ line, by, at }) => `${line}${by ? ` by ${by}` : ''}, ${showTime(Date.parse(at), 'short with zone', to.zone)}`,
        ),
        ...(alone ? [] : [link.url]),
      ].join('\n'),
    ),
    link: alone ? { label: 'Open it', ...alone.link } : { label: 'Open the inbox', ...to.inbox },
    foot: `You’re receiving this because of the email settings in your account. To stop these emails, open: ${to.stop.url}`,
    secrets: to.stop.secret ? [to.stop.secret] : [],
  })
}

/** Links in mails, all to PUBLIC_URL. */
export const links = {
  registration: (publicUrl: string, token: string): Link => ({
    url: `${publicUrl}/registration?invitation_token=${token}`,
    secret: token,
  }),
  login: (publicUrl: string): Link => ({ url: `${publicUrl}/login` }),
  ownPassword: (publicUrl: string): Link => ({ url: `${publicUrl}${PASSWORD_FORM}` }),
  forgotPassword: (publicUrl: string): Link => ({ url: `${publicUrl}/forgotPassword` }),
  confirmEmail: (publicUrl: string, token: string): Link => ({
    url: `${publicUrl}${CONFIRM_PAGE}?token=${token}`,
    secret: token,
  }),
  /** `signed` comes from `secrets.sign('partner', project:partner, until)`. */
  feasibility: (publicUrl: string, project: number, partner: number, signed: string): Link => ({
    url: `${publicUrl}${feasibilityPath(project, partner)}?token=${signed}`,
    secret: signed,
  }),
  /** A project's conversation with an answer begun to the agency, client or a partner; only its reader sends it. */
  conversation: (
    publicUrl: string,
    { id, generation }: { id: number; generation: 'project' | 'campaign' },
    to: 'agency' | 'client' | number,
  ): Link => {
    const answer =
      to === 'agency' ? 'project.ask' : to === 'client' ? 'project.writeClient' : `project.writePartner&partner=${to}`
    const screen = generation === 'project' ? 'project-info' : 'surveyProInfo'
    return { url: `${publicUrl}/dashboard/${screen}/${id}/specifications?section=conversation&do=${answer}` }
  },
  /** The same for a partner, by the signed link to their page. */
  partnerConversation: (publicUrl: string, project: number, partner: number, signed: string): Link => ({
    url: `${publicUrl}${feasibilityPath(project, partner)}?token=${signed}&reply=1`,
    secret: signed,
  }),
  /** The page where administrators manage the quote. */
  approval: (publicUrl: string, { id, generation }: { id: number; generation: 'project' | 'campaign' }): Link => ({
    url: `${publicUrl}/dashboard/${generation === 'project' ? 'project-info' : 'surveyProInfo'}/${id}/approval`,
  }),
  /** The page where the client decides. */
  clientApproval: (publicUrl: string, { id }: { id: number }): Link => ({
    url: `${publicUrl}/survey-request/client-approval/${id}`,
  }),
  webhook: (publicUrl: string, id: number): Link => ({ url: `${publicUrl}/dashboard/webhooks/${id}` }),
  users: (publicUrl: string): Link => ({ url: `${publicUrl}/dashboard/users` }),
  inbox: (publicUrl: string): Link => ({ url: `${publicUrl}/dashboard/inbox` }),
  /** Where a signed-out reader stops the kinds of news that a mail held. */
  stopMail: (publicUrl: string, token: string): Link => ({ url: `${publicUrl}${STOP_MAIL_PAGE}?token=${token}`, secret: token }),
  /** The screen of a record that news is about. */
  record: (publicUrl: string, noun: 'project' | 'campaign' | 'job', id: number): Link => ({
    url: `${publicUrl}/dashboard/${noun === 'job' ? 'jobs' : noun === 'project' ? `project-info/${id}` : `surveyProInfo/${id}`}`,
  }),
  project: (publicUrl: string, project: number): Link => ({ url: `${publicUrl}/dashboard/project-info/${project}/dashboard` }),
}

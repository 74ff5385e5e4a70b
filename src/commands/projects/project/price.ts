import { count, dollars, longDate, showTime } from '../../../../contract/format.ts'
import { marginOf } from '../../../../contract/mix.ts'
import { outsideSeconds } from '../../../data/outsideSeconds.ts'
import { displayZone } from '../../../ui/displayZone.ts'
import { ask, command, type RawAnswers } from '../../command.ts'
import { recordOf, type Subject } from '../../subject.ts'
import { either, listed, lockOf, named } from '../../words.ts'
import { marginWords, partnerCostOf, quoteOf, revisionOf, withQuotes } from './quoteOf.ts'
import { PROJECTS, reason } from './reason.ts'

/** Formats " to $1,250.00"; empty before an amount is typed. */
const to = (cents: unknown): string => (typeof cents === 'number' && Number.isFinite(cents) ? ` to ${dollars(cents)}` : '')

/** True before a partner is invited, when a cost can only be a target. */
const isWaiting = (subject: Subject | undefined): boolean => recordOf(subject, ...PROJECTS).stored_status === 'requirements'
const holds = (answers: RawAnswers, subjects: readonly Subject[]): boolean => isWaiting(subjects[0]) || answers.hold === 'hold'

/** Describes the margin at a cost, and whether it is negative; null if partners' prices are unknown. */
function marginAt(subject: Subject | undefined, cost: unknown): { words: string; loss: boolean } | null {
  const quote = quoteOf(subject)
  const partners = quote && partnerCostOf(quote)
  if (!partners || typeof cost !== 'number' || !Number.isFinite(cost)) return null
  const { cents, taken } = partners
  const what = taken ? `The partners cost ${dollars(cents)}` : `The cheapest offers cost ${dollars(cents)}`
  return { words: `${what}: ${marginWords(cost, cents)}.`, loss: marginOf(cost, cents).margin_cents < 0 }
}
const atLoss = (answers: RawAnswers, subjects: readonly Subject[]): boolean => marginAt(subjects[0], answers.cost)?.loss === true

// Declared outside the rows, because the compiler would infer its type from the union of all questions.
const cost = ask.number({
  label: 'Cost',
  money: true,
  unit: '$',
  min: 1,
  prefill: ([subject]) => recordOf(subject, ...PROJECTS).cost_cents,
})
const valid_until = ask.date({
  label: 'Valid until',
  optional: true,
  prefill: ([subject]) => recordOf(subject, ...PROJECTS).quote_valid_until,
})
const hold = ask.option({
  label: 'What for',
  // Only at the pricing step can a cost be either.
  when: (_answers, [subject]) => recordOf(subject, ...PROJECTS).stored_status === 'pricing',
  options: [
    { value: 'quote', label: 'Quote it', detail: 'closes the round' },
    { value: 'hold', label: 'Keep as target cost', detail: 'the client doesn’t see it' },
  ],
  prefill: () => 'quote',
})

const quoted_until = ask.date({
  label: 'Valid until',
  optional: true,
  when: (answers, subjects) => !holds(answers, subjects),
  prefill: ([subject]) => recordOf(subject, ...PROJECTS).quote_valid_until ?? quoteOf(subject)?.usual_valid_until,
})
const loss_reason = ask.text({ ...reason, placeholder: 'Why the client pays less than the partners get', when: atLoss })

/** When the current quote was emailed to the client; null if it wasn't. */
function sentAt(subject: Subject): string | null {
  const quote = quoteOf(subject)
  const revision = quote && revisionOf(quote)
  return revision?.state === 'sent' ? revision.sent_at : null
}

/** A project's price, and sending it to the client (decisions.md 13, Price). */
export const priceCommands = {
  'project.setCost': command({
    title: 'Set cost…',
    on: PROJECTS,
    keywords: 'price quote target margin',
    icon: 'coins',
    undo: 'restores',
    prepare: (api, subjects, signal) => withQuotes(api, subjects, () => null, signal),
    asks: {
      cost,
      hold,
      valid_until: quoted_until,
      reason: loss_reason,
    },
    confirm: (subjects, answers) => {
      const margin = marginAt(subjects[0], answers.cost)
      const held = holds(answers, subjects)
      return {
        title: held
          ? `Set the target cost of ${listed(subjects)}${to(answers.cost)}?`
          : `Set the cost of ${listed(subjects)}${to(answers.cost)}?`,
        body: [
          margin?.words,
          held
            ? 'The client doesn’t see it. A partner’s binding answer within it quotes the project.'
            : 'You can change it until it is sent to the client. The history keeps each cost.',
        ]
          .filter(Boolean)
          .join(' '),
        bad: margin?.loss === true,
        action: held ? 'Set target cost' : 'Set cost',
      }
    },
    failure: 'dialog',
    async run({ api, subject, subjects, answers }) {
      const held = holds(answers, subjects)
      const { message } = await api.write('project.setCost', {
        id: subject.id,
        cost_cents: answers.cost,
        ...(answers.valid_until ? { valid_until: answers.valid_until } : {}),
        ...(held ? { hold: true } : {}),
        reason: answers.reason ?? '',
        ...lockOf(subject.record),
      })
      return { message }
    },
  }),
  'project.reprice': command({
    title: 'Re-price…',
    on: PROJECTS,
    keywords: 'cost price quote change again',
    icon: 'coins',
    undo: 'restores',
    prepare: (api, subjects, signal) => withQuotes(api, subjects, () => null, signal),
    asks: { cost, valid_until, reason },
    confirm: (subjects, answers) => {
      const margin = marginAt(subjects[0], answers.cost)
      return {
        title: `Re-price ${listed(subjects)}${to(answers.cost)}?`,
        body: [
          margin?.words,
          'It goes back to the client for approval, by email. It can go live again once they approve.',
          `You can undo it for ${outsideSeconds()} seconds, until the email is sent.`,
        ]
          .filter(Boolean)
          .join(' '),
        bad: margin?.loss === true,
        action: 'Re-price',
      }
    },
    failure: 'dialog',
    async run({ api, subject, answers }) {
      const { message } = await api.write('project.setCost', {
        id: subject.id,
        cost_cents: answers.cost,
        reason: answers.reason,
        ...lockOf(subject.record),
        ...(answers.valid_until ? { valid_until: answers.valid_until } : {}),
      })
      return { message, undoUntil: Date.now() + outsideSeconds() * 1000 }
    },
  }),
  'project.sendQuote': command({
    title: 'Send quote',
    on: PROJECTS,
    rule: 'project.notifyCost',
    keywords: 'quote notification email client cost notify',
    icon: 'mail',
    delay: true,
    many: true,
    prepare: (api, subjects, signal) => withQuotes(api, subjects, () => null, signal),
    confirm: (subjects) => {
      const again = subjects.some(sentAt)
      return {
        title: `Send ${either(subjects, 'the quote', 'the quotes')} of ${listed(subjects)} to ${either(subjects, 'its client', 'their clients')}${again ? ' again' : ''}?`,
        body: `They get an email with a link to approve or reject ${either(subjects, 'it', 'each')}.`,
        lines: subjects.flatMap((subject) => {
          const { cost_cents, ordered, quote_valid_until } = subject.record ?? {}
          if (typeof cost_cents !== 'number') return []
          const until = typeof quote_valid_until === 'string' ? `, valid until ${longDate(quote_valid_until)}` : ''
          const completes = typeof ordered === 'number' ? ` for ${count(ordered)} completes` : ''
          const sent = sentAt(subject)
          const before = sent ? `, emailed already: ${showTime(Date.parse(sent), 'short', displayZone.of())}` : ''
          return { label: named(subject), value: `${dollars(cost_cents)}${completes}${until}${before}` }
        }),
        action: `${either(subjects, 'Send quote', 'Send quotes')}${again ? ' again' : ''}`,
      }
    },
    failure: 'dialog',
    each: {
      done: 'project.notifyCost',
      one: ({ api, subject, signal }) =>
        api.write('project.notifyCostNow', { id: subject.id, delay_seconds: 0, resend: Boolean(sentAt(subject)) }, { signal }),
    },
  }),
} as const

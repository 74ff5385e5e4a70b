import { count, dollars, roundDollars } from '../../../../contract/format.ts'
import { costAtMargin, MIX_KINDS, type Mix, type MixKind, marginOf, mixesOf, mixOf } from '../../../../contract/mix.ts'
import { chosenMix } from '../../../data/mixes.ts'
import { outsideSeconds } from '../../../data/outsideSeconds.ts'
import { ask, command, type RawAnswers } from '../../command.ts'
import type { Quote } from '../../profferSubject.ts'
import type { Option, Subject } from '../../subject.ts'
import { listed, lockOf, named } from '../../words.ts'
import { invitationsOf, marginWords, offersOf, pickedPartners, quoteOf, shortWords, withQuotes } from './quoteOf.ts'
import { PROJECTS } from './reason.ts'

const TITLES: Readonly<Record<MixKind | 'own', string>> = {
  own: 'As edited in the Approval tab',
  cheapest: 'Cheapest that fills the order',
  fastest: 'Fastest',
  one: 'One partner',
}

/** Returns the mix edited in the Approval tab if all of its offers are still valid; otherwise null. */
function ownMix(quote: Quote): Mix | null {
  const chosen = chosenMix(quote.id)
  if (chosen?.kind !== 'own') return null
  const mix = mixOf(offersOf(quote), chosen.shares, quote.ordered)
  return mix.shares.length ? mix : null
}

/** Returns the chosen partners of a project; all if the Approval tab shows a mix, which then decides. */
const pickedOf = (subject: Subject) => (chosenMix(subject.id) ? null : pickedPartners(subject))

/** Returns the mix of a kind, from all offers or those of the chosen partners. */
function mixAs(quote: Quote, kind: unknown, picked: readonly number[] | null): Mix {
  const own = kind === 'own' && ownMix(quote)
  if (own) return own
  const mixes = mixesOf(offersOf(quote, picked), quote.ordered)
  return mixes[MIX_KINDS.find((one) => one === kind) ?? 'cheapest']
}

/** Returns the initial mix: the one chosen in the Approval tab, or else the cheapest. */
function usualMix(subject: Subject | undefined): MixKind | 'own' {
  const quote = quoteOf(subject)
  const chosen = quote && !pickedOf(subject!) ? chosenMix(quote.id) : undefined
  return chosen?.kind === 'own' && !(quote && ownMix(quote)) ? 'cheapest' : (chosen?.kind ?? 'cheapest')
}

interface Taken {
  quote: Quote
  mix: Mix
  cost_cents: number
  valid_until: string
}
/** Returns what to take for a project, at the default margin and validity unless the answers differ. */
function takenOf(subject: Subject, answers: RawAnswers): Taken | null {
  const quote = quoteOf(subject)
  if (!quote) return null
  const mix = mixAs(quote, answers.mix ?? usualMix(subject), pickedOf(subject))
  const { cost, valid_until } = answers
  return {
    quote,
    mix,
    cost_cents: typeof cost === 'number' ? cost : costAtMargin(mix.cost_cents, quote.usual_margin),
    valid_until: typeof valid_until === 'string' ? valid_until : quote.usual_valid_until,
  }
}

const mixWords = (quote: Quote, { shares, cost_cents, days, short }: Mix): string =>
  [
    `${shares.length} ${shares.length === 1 ? 'partner' : 'partners'}`,
    roundDollars(cost_cents),
    days === null ? '' : `${days} field ${days === 1 ? 'day' : 'days'}`,
    short > 0 ? `${count(short)} of ${count(quote.ordered)} short` : '',
  ]
    .filter(Boolean)
    .join(' · ')

function mixOptions([subject]: readonly Subject[]): readonly Option[] {
  const quote = quoteOf(subject)
  if (!quote || !subject) return []
  const picked = pickedOf(subject)
  const kinds = [...(ownMix(quote) && !picked ? (['own'] as const) : []), ...MIX_KINDS]
  return kinds.map((value) => ({ value, label: TITLES[value], detail: mixWords(quote, mixAs(quote, value, picked)) }))
}

/** Returns why a project has no offer to take; null if it has one. */
function noOffers(quote: Quote, subject: Subject): string | null {
  const picked = pickedOf(subject)
  const rows = invitationsOf(quote).filter(({ partner_id }) => !picked || picked.includes(partner_id))
  const chosen = picked ? undefined : chosenMix(quote.id)
  // An edited mix is taken as a whole or not at all.
  const edited = chosen?.kind === 'own' ? chosen.shares.map(({ id }) => id) : []
  const ended = rows.find(({ answer }) => answer?.ended && (edited.includes(answer.id) || picked !== null))
  if (ended) return ended.refused_actions['proffer.take'] ?? `${ended.name}’s offer ended`
  if (offersOf(quote, picked).length) return null
  const over = rows.find(({ answer }) => answer?.ended)
  if (over) return over.refused_actions['proffer.take'] ?? `${over.name}’s offer ended`
  const answered = rows.filter(({ answer }) => answer)
  if (!answered.length) return 'no partner has answered yet'
  return picked?.length === 1
    ? (rows[0]?.refused_actions['proffer.take'] ?? 'it has no offer')
    : 'no partner offers completes at a price'
}

const single = (_answers: unknown, subjects: readonly Subject[]) => subjects.length === 1
/** Asks for a reason if the partners cost more than the client pays. */
const atLoss = (answers: RawAnswers, subjects: readonly Subject[]): boolean =>
  subjects.some((subject) => {
    const taken = takenOf(subject, answers)
    return taken !== null && marginOf(taken.cost_cents, taken.mix.cost_cents).margin_cents < 0
  })

const asks = {
  mix: ask.option({
    label: 'Mix',
    usual: true,
    when: single,
    options: mixOptions,
    prefill: ([subject]: readonly Subject[]) => usualMix(subject),
  }),
  cost: ask.number({
    label: 'Cost',
    money: true,
    unit: '$',
    min: 1,
    when: single,
    follows: 'mix',
    prefill: ([subject]: readonly Subject[], _workspace?: unknown, answers: RawAnswers = {}) =>
      subject && takenOf(subject, { mix: answers.mix })?.cost_cents,
  }),
  valid_until: ask.date({
    label: 'Valid until',
    when: single,
    prefill: ([subject]: readonly Subject[]) => quoteOf(subject)?.usual_valid_until,
  }),
  reason: ask.text({
    label: 'Reason',
    recalls: true,
    lines: 3,
    placeholder: 'Why the client pays less than the partners get',
    when: atLoss,
  }),
}

/** Describes one project in the review, in the specification's words. */
function sentence({ quote, mix, cost_cents }: Taken): string {
  const partners = roundDollars(mix.cost_cents)
  return `Quote ${roundDollars(cost_cents)} for ${count(quote.ordered)} completes: partners ${partners}, ${marginWords(cost_cents, mix.cost_cents)}. ${shortWords(mix, quote.ordered)}The client gets it by email.`
}

const floorOf = ({ quote, mix, cost_cents }: Taken): boolean =>
  marginOf(cost_cents, mix.cost_cents).margin_percent < quote.margin_floor

/** Takes partners' offers as a quote: the mix, its cost and the mail to the client in one step. */
export const offerCommands = {
  'project.takeOffers': command({
    title: 'Take offers…',
    on: [...PROJECTS, 'proffer'],
    many: true,
    rule: ['project.takeOffers', 'proffer.take'],
    keywords: 'quote price mix partners proffers share split margin',
    icon: 'coins',
    undo: 'restores',
    prepare: (api, subjects, signal) => withQuotes(api, subjects, noOffers, signal),
    asks,
    confirm: (subjects, answers) => {
      const taken = subjects.map((subject) => takenOf(subject, answers)).filter((one) => one !== null)
      const [one] = taken
      const ends = `You can undo it for ${outsideSeconds()} seconds, until the email is sent.`
      if (one && subjects.length === 1) {
        const { margin_cents } = marginOf(one.cost_cents, one.mix.cost_cents)
        return {
          title: `Quote ${named(subjects[0]!)} to its client?`,
          body: `${sentence(one)} ${ends}`,
          bad: margin_cents < 0,
          lines: one.mix.shares.map((share) => shareLine(one, share)),
          action: 'Send quote',
        }
      }
      const sum = taken.reduce((total, { cost_cents }) => total + cost_cents, 0)
      return {
        title: `Quote ${listed(subjects)} for ${roundDollars(sum)} in all?`,
        body: `Each gets its cheapest mix at the usual margin. The clients get them by email. ${ends}`,
        lines: subjects.flatMap((subject) => {
          const own = takenOf(subject, answers)
          return own
            ? {
                label: named(subject),
                value: `${roundDollars(own.cost_cents)}, ${marginWords(own.cost_cents, own.mix.cost_cents)}${own.mix.short ? `, ${count(own.mix.short)} short` : ''}`,
                bad: floorOf(own),
              }
            : []
        }),
        action: 'Send quotes',
      }
    },
    failure: 'dialog',
    each: {
      dialog: { title: 'Quoted', body: 'The client gets the quote by email.', clicked: true },
      done: 'project.quote',
      undoFor: outsideSeconds,
      async one({ api, subject, answers, signal }) {
        const taken = takenOf(subject, answers)
        if (!taken) return undefined
        const { cost_cents, valid_until, mix } = taken
        const shares = mix.shares.map(({ id, completes }) => ({ proffer_id: id, completes }))
        const input = { id: subject.id, cost_cents, valid_until, shares, notify: true, reason: answers.reason ?? '' }
        return api.write('project.setCost', { ...input, ...lockOf(subject.record) }, { signal })
      },
    },
  }),
} as const

/** Describes a share: "Acme Panel", "400 at $2.10 · $840". */
function shareLine({ quote }: Taken, { id, completes }: { id: number; completes: number }) {
  const row = invitationsOf(quote).find(({ answer }) => answer?.id === id)
  const cpi = row?.answer?.cpi_cents ?? 0
  return { label: row?.name ?? '', value: `${count(completes)} at ${dollars(cpi)} · ${roundDollars(completes * cpi)}` }
}

import { useAtomValue } from 'jotai'
import { useEffect, useId } from 'react'
import { count, counted, dollars, longDate, percent, roundDollars, showDay } from '../../../../contract/format.ts'
import {
  costAtMargin,
  MIX_KINDS,
  type Mix,
  type MixKind,
  mixesOf,
  mixOf,
  type Offer,
  type Share,
  shareDays,
} from '../../../../contract/mix.ts'
import { addDays } from '../../../../contract/pacing.ts'
import type { Invitation, Quote } from '../../../commands/profferSubject.ts'
import type { Subject } from '../../../commands/subject.ts'
import { chooseMix, chosenMix, mixesAtom } from '../../../data/mixes.ts'
import { useToday } from '../../../palette/useToday.ts'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { Button } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Mark } from '../../../ui/Pill.tsx'
import { usePane } from '../../../workspace/pane.tsx'
import type { Round } from './quoteSteps.ts'
import { Stepper } from './Stepper.tsx'

/** Titles of the mixes; the cheapest one's says whether it fills the order. */
const titleOf = (kind: MixKind | 'own', mix: Mix): string =>
  ({
    cheapest: mix.short ? 'Cheapest' : 'Cheapest that fills the order',
    fastest: 'Fastest',
    one: 'One partner',
    own: 'Your own',
  })[kind]

/** Returns the last day of the slowest share, counted from the start date, or from today if that is past. */
function endOf({ asked }: Quote, mix: Mix, today: string): string | null {
  if (mix.days === null) return null
  const start = asked.start && asked.start > today ? asked.start : today
  return addDays(start, Math.max(0, mix.days - 1))
}

interface Props {
  quote: Quote
  round: Round
  offers: readonly Offer[]
  subject: Subject
  /** True if rows are selected: then their offers are taken, not the mix. */
  rowsSelected: boolean
}

/** Compares the three mixes side by side, and details the chosen one partner by partner. */
export function MixPart({ quote, round, offers, subject, rowsSelected }: Props) {
  const { query, setQuery } = usePane()
  const today = useToday()
  const group = useId()
  const chosen = useAtomValue(mixesAtom)[quote.id]
  const edited = chosen?.kind === 'own' ? chosen.shares : null
  const mixes = mixesOf(offers, quote.ordered)
  const kind = MIX_KINDS.find((one) => one === query.mix) ?? 'cheapest'
  const mix = edited ? mixOf(offers, edited, quote.ordered) : mixes[kind]
  // The command takes the mix on screen; an edited mix outlasts the tab.
  useEffect(() => {
    if (chosenMix(quote.id)?.kind !== 'own') chooseMix(quote.id, rowsSelected ? null : { kind })
  }, [quote.id, kind, rowsSelected])
  useEffect(
    () => () => {
      if (chosenMix(quote.id)?.kind !== 'own') chooseMix(quote.id, null)
    },
    [quote.id],
  )
  const edit = (shares: readonly Share[] | null) => chooseMix(quote.id, shares ? { kind: 'own', shares } : { kind })
  const choose = (next: MixKind) => {
    chooseMix(quote.id, { kind: next })
    setQuery({ mix: next === 'cheapest' ? null : next })
  }
  const choices: [MixKind | 'own', Mix][] = [
    ...MIX_KINDS.map((one): [MixKind, Mix] => [one, mixes[one]]),
    ...(edited ? [['own', mix] as ['own', Mix]] : []),
  ]
  const partnerOf = (id: number): Invitation => round.invitations.find(({ answer }) => answer?.id === id)!
  const share = (id: number) => mix.shares.find((one) => one.id === id)?.completes ?? 0
  const over = Math.max(0, mix.completes - quote.ordered)
  return (
    <section aria-label="Mix" className="pt-4">
      <h2 className="pb-2 font-medium">How to fill {count(quote.ordered)} completes</h2>
      <div
        role="radiogroup"
        aria-label="Mixes"
        className={cx('grid grid-cols-1 gap-2', choices.length > 3 ? '@lg:grid-cols-2 @4xl:grid-cols-4' : '@2xl:grid-cols-3')}
      >
        {choices.map(([one, of]) => (
          <Choice
            key={one}
            group={group}
            title={titleOf(one, of)}
            mix={of}
            ends={endOf(quote, of, today)}
            late={quote.asked.end}
            chosen={edited ? one === 'own' : one === kind}
            onChoose={() => one !== 'own' && choose(one)}
          />
        ))}
      </div>
      <table className="mt-3 w-full max-w-3xl border-collapse text-left">
        <caption className="sr-only">Completes by partner</caption>
        <thead>
          <tr className="h-8 border-b border-line text-meta text-muted">
            <th className="pr-2 font-medium">Partner</th>
            <th className="px-2 font-medium">Completes</th>
            <th className="px-2 text-right font-medium">CPI</th>
            <th className="px-2 text-right font-medium @max-md:hidden">Days</th>
            <th className="pl-2 text-right font-medium">Cost</th>
          </tr>
        </thead>
        <tbody>
          {offers.map((offer) => {
            const { name, answer } = partnerOf(offer.id)
            const completes = share(offer.id)
            const days = completes ? shareDays(offer, completes) : null
            return (
              <tr key={offer.id} className={cx('h-10 border-b border-line', completes === 0 && 'text-muted')}>
                <td className="max-w-0 w-2/5 truncate pr-2" dir="auto" title={name}>
                  {name}
                </td>
                <td className="px-2">
                  <Stepper
                    label={`Completes of ${name}`}
                    value={completes}
                    most={answer?.feasible_completes ?? offer.completes}
                    step={Math.max(1, Math.round(quote.ordered / 100))}
                    onChange={(next) =>
                      edit([
                        ...mix.shares.filter(({ id }) => id !== offer.id),
                        ...(next > 0 ? [{ id: offer.id, completes: next }] : []),
                      ])
                    }
                  />
                </td>
                <td className="px-2 text-right tabular-nums">{dollars(offer.cpi_cents)}</td>
                <td className="px-2 text-right tabular-nums @max-md:hidden">{days === null ? '–' : count(days)}</td>
                <td className="pl-2 text-right tabular-nums">{dollars(completes * offer.cpi_cents)}</td>
              </tr>
            )
          })}
        </tbody>
        <tfoot>
          <tr className="h-10 font-medium">
            <td className="pr-2">Total</td>
            <td className="px-2 tabular-nums">
              {count(mix.completes)} of {count(quote.ordered)}
            </td>
            <td className="px-2 text-right tabular-nums">
              {mix.completes ? dollars(Math.round(mix.cost_cents / mix.completes)) : '–'}
            </td>
            <td className="px-2 text-right tabular-nums @max-md:hidden">{mix.days === null ? '–' : count(mix.days)}</td>
            <td className="pl-2 text-right tabular-nums">{dollars(mix.cost_cents)}</td>
          </tr>
        </tfoot>
      </table>
      <div className="flex max-w-3xl flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 text-muted" aria-live="polite" aria-atomic="true">
          {mix.short > 0 && (
            <span className="block font-medium text-amber-ink">
              <Mark shape="triangle" className="mr-1.5 inline" />
              {count(mix.short)} of {count(quote.ordered)} can’t be filled.
            </span>
          )}
          {over > 0 && (
            <span className="block font-medium text-red-ink">
              <Mark shape="cross" className="mr-1.5 inline" />
              {count(over)} more than ordered.
            </span>
          )}
          {mix.cost_cents > 0 &&
            `At the usual margin of ${percent(quote.usual_margin)}, it costs ${roundDollars(costAtMargin(mix.cost_cents, quote.usual_margin))}.`}
        </p>
        {edited && (
          <Button data-view="" variant="ghost" onClick={() => edit(null)}>
            Back to {titleOf(kind, mixes[kind]).toLowerCase()}
          </Button>
        )}
        <CommandButton id="project.takeOffers" subjects={[subject]} />
      </div>
    </section>
  )
}

interface ChoiceProps {
  /** The radio group's name. */
  group: string
  title: string
  mix: Mix
  /** The last day of the slowest share; null if any share has no field days. */
  ends: string | null
  /** The project's end date; a mix that ends later is late. */
  late: string | null
  chosen: boolean
  onChoose(): void
}

/** One mix, with its cost, duration and missing completes. */
function Choice({ group, title, mix, ends, late, chosen, onChoose }: ChoiceProps) {
  const name = useId()
  const isLate = ends !== null && late !== null && ends > late
  return (
    <label
      className={cx(
        'relative block rounded-lg border px-3 py-2 has-focus-visible:outline-2 has-focus-visible:outline-accent',
        chosen ? 'border-accent bg-accent-wash' : 'border-line hover:bg-hover',
      )}
    >
      <input
        type="radio"
        name={group}
        aria-labelledby={name}
        checked={chosen}
        onChange={onChoose}
        className="absolute size-px opacity-0"
      />
      <span id={name} className="flex items-center gap-1.5 font-medium">
        <Mark shape={chosen ? 'dot' : 'ring'} className={chosen ? 'text-accent-ink' : 'text-muted'} />
        {title}
      </span>
      <span className="mt-1 flex flex-wrap items-baseline gap-x-2 tabular-nums">
        <span className="text-title">{dollars(mix.cost_cents)}</span>
        {mix.completes > 0 && <span className="text-muted">{dollars(Math.round(mix.cost_cents / mix.completes))} each</span>}
      </span>
      <span className="mt-0.5 block text-meta text-muted tabular-nums">
        {counted(mix.shares.length, 'partner')} ·{' '}
        <span
          className={cx(isLate && 'font-medium text-amber-ink')}
          title={isLate ? `The project ends on ${longDate(late)}` : undefined}
        >
          {ends === null ? 'no field days given' : `ends ${showDay(ends)}${isLate ? ', late' : ''}`}
        </span>
        {mix.short > 0 && ` · ${count(mix.short)} short`}
      </span>
    </label>
  )
}

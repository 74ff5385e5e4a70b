import { isolateBidi } from './bidi.ts'
import { count, counted } from './format.ts'
import type { Quota, QuotaArrivals, QuotaCell } from './quota.ts'

/* Why a cell of a quota plan doesn't fill, in one sentence. */

const takenOf = ({ completes, held = 0 }: QuotaCell): number => completes + held

/** How far below its plan's own pace a cell has to be. */
const LAG = 0.8

/** True for an open cell with places that fills more slowly than its plan, by two people at least. */
export function isStarving(cell: QuotaCell, { state, all }: Pick<Quota, 'state' | 'all'>): boolean {
  if (state !== 'live' || cell.closed || !cell.free || cell.free < 1 || !all.target) return false
  const expected = (cell.target * takenOf(all)) / all.target
  return takenOf(cell) < LAG * expected && expected - takenOf(cell) >= 2
}

const quoted = (name: string) => `“${isolateBidi(name)}”`

/** Why nobody else gets in, or why too few do; `arrivals` is undefined until it has been read. */
export function whyNotFilled(cell: QuotaCell, plan: Quota, arrivals: QuotaArrivals | undefined): string {
  const { completes, held = 0, free = 0 } = cell
  if (cell.closed) return 'Closed: nobody else is admitted until it is opened again.'
  if (free < 1)
    return `Full: ${counted(completes, 'complete has', 'completes have')} its places${held ? `, and ${counted(held, 'person is', 'people are')} in the survey` : ''}.`
  if (plan.state === 'draft') return 'Nobody is decided by a draft.'
  if (plan.state === 'ended') return `The plan ended with ${counted(free, 'free place', 'free places')}.`
  const met = arrivals?.cells.find(({ id }) => id === cell.id)
  if (!met) return ''
  if (!met.arrivals) return 'Nobody who fits it arrived in the last 24 hours.'
  const [most] = met.refused_by
  const elsewhere = met.refused - met.refused_by.reduce((sum, one) => sum + one.count, 0)
  if (met.refused > met.admitted) {
    const blocking = most && most.count >= elsewhere ? cellOf(plan, most.id) : undefined
    const because = blocking
      ? `${most!.count === met.refused ? 'all' : count(most!.count)} because ${quoted(blocking.name)} ${blocking.closed ? 'is closed' : 'was full'}`
      : 'most of them for what isn’t known of them, or fits no cell'
    return `Of ${counted(met.arrivals, 'arrival', 'arrivals')} in 24 hours ${count(met.refused)} were refused, ${because}.`
  }
  if (met.left * 2 > met.admitted)
    return `Of ${count(met.admitted)} who were admitted in 24 hours, ${count(met.left)} left without completing.`
  return `${counted(met.arrivals, 'person who fits it', 'people who fit it')} arrived in 24 hours, for ${counted(free, 'free place', 'free places')}.`
}

/** A plan's cell by its id. */
export const cellOf = (plan: Quota, id: number): QuotaCell | undefined =>
  plan.all.id === id ? plan.all : plan.dimensions.flatMap(({ cells }) => cells).find((cell) => cell.id === id)

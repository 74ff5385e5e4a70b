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
  if (free < 1) {
    const taken = [
      completes || !held ? `${counted(completes, 'complete has', 'completes have')} its places` : '',
      held ? `${counted(held, 'person is', 'people are')} in the survey` : '',
    ]
    const refused = cell.refused_24h ? ` ${counted(cell.refused_24h, 'arrival was', 'arrivals were')} refused in 24 hours.` : ''
    return `Full: ${taken.filter(Boolean).join(', and ')}.${refused}`
  }
  if (plan.state === 'draft') return 'Nobody is decided by a draft.'
  if (plan.state === 'ended') return `The plan ended with ${counted(free, 'free place', 'free places')}.`
  const met = arrivals?.cells.find(({ id }) => id === cell.id)
  if (!met) return ''
  const fit = cell.id === plan.all.id ? '' : ' who fits it'
  if (!met.arrivals) return `Nobody${fit} arrived in the last 24 hours.`
  const [most] = met.refused_by
  const elsewhere = met.refused - met.refused_by.reduce((sum, one) => sum + one.count, 0)
  if (met.refused > met.admitted) {
    const blocking = most && most.count >= elsewhere ? cellOf(plan, most.id) : undefined
    const because = blocking
      ? becauseOf(blocking, most!.count, met, plan)
      : 'most of them for what isn’t known of them, or fits no cell'
    return `Of ${counted(met.arrivals, 'arrival', 'arrivals')} in 24 hours ${count(met.refused)} were refused, ${because}.`
  }
  if (met.left * 2 > met.admitted)
    return `Of ${count(met.admitted)} who were admitted in 24 hours, ${count(met.left)} left without completing.`
  const fitting = fit
    ? counted(met.arrivals, 'person who fits it', 'people who fit it')
    : counted(met.arrivals, 'person', 'people')
  return `${fitting} arrived in 24 hours, for ${counted(free, 'free place', 'free places')}.`
}

/** Which cell refused, or which dimension where none of its cells refused most. */
function becauseOf(
  { id, name, closed }: QuotaCell,
  most: number,
  { refused, refused_by }: QuotaArrivals['cells'][number],
  plan: Quota,
): string {
  const dimension = plan.dimensions.find(({ cells }) => cells.some((cell) => cell.id === id))
  const own = new Set(dimension?.cells.map((cell) => cell.id))
  const together = refused_by.reduce((sum, one) => sum + (own.has(one.id) ? one.count : 0), 0)
  const part = (many: number) => (many === refused ? 'all' : count(many))
  if (dimension && most * 2 < refused && together > most)
    return `${part(together)} by cells of ${quoted(dimension.name)}, ${count(most)} of them by ${quoted(name)}`
  return `${part(most)} because ${quoted(name)} ${closed ? 'is closed' : 'was full'}`
}

/** A plan's cell by its id. */
export const cellOf = (plan: Quota, id: number): QuotaCell | undefined =>
  plan.all.id === id ? plan.all : plan.dimensions.flatMap(({ cells }) => cells).find((cell) => cell.id === id)

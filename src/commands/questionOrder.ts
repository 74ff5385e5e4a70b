/* The order of a survey's questions while they are being moved: shown at once, saved after a pause. */

/** One key press: moves questions one place up or down. */
interface Move {
  ids: readonly number[]
  by: 1 | -1
}
/** One survey's moves. */
interface Orders {
  /** Moves not sent yet. */
  waiting: Move[]
  /** Moves under way. */
  sent: Move[]
  /** The order saved last, until the list has read it. */
  written: readonly number[] | null
  /** Saves the waiting moves; null if there are none. */
  go: (() => void) | null
  timer: ReturnType<typeof setTimeout> | undefined
  last: Promise<unknown>
}

/** The pause in ms before moves are saved. */
const REST_MS = 500

const known = new Map<number, Orders>()
const listeners = new Set<() => void>()
let version = 0

function ordersOf(survey: number): Orders {
  const found = known.get(survey)
  if (found) return found
  const made: Orders = { waiting: [], sent: [], written: null, go: null, timer: undefined, last: Promise.resolve() }
  known.set(survey, made)
  return made
}
function changed(): void {
  version++
  for (const listener of listeners) listener()
}

/** Moves ids to a position, keeping their order; `at` counts from 1. */
export function movedTo(order: readonly number[], some: readonly number[], at: number): number[] {
  const moving = order.filter((id) => some.includes(id))
  const rest = order.filter((id) => !some.includes(id))
  const place = Math.max(0, Math.min(rest.length, at - 1))
  return [...rest.slice(0, place), ...moving, ...rest.slice(place)]
}

/** Moves ids one place up or down past their neighbors; those at the end stay there. */
function movedBy(order: readonly number[], { ids: some, by }: Move): readonly number[] {
  const moving = new Set(some)
  const ids = by === -1 ? [...order] : [...order].reverse()
  for (let at = 1; at < ids.length; at++) {
    const before = ids[at - 1]!
    if (moving.has(ids[at]!) && !moving.has(before)) [ids[at - 1], ids[at]] = [ids[at]!, before]
  }
  return by === -1 ? ids : ids.reverse()
}
const afterAll = (moves: readonly Move[], order: readonly number[]): readonly number[] => moves.reduce(movedBy, order)

/**
 * Moves questions of a survey. The moves of a burst are saved together, by the `write` of the first.
 * `write` gets a function that applies them to an order, and returns the order it saved.
 */
export async function moveLater(
  survey: number,
  move: Move,
  write: (apply: (order: readonly number[]) => readonly number[]) => Promise<readonly number[]>,
): Promise<void> {
  const orders = ordersOf(survey)
  orders.waiting.push(move)
  changed()
  clearTimeout(orders.timer)
  if (orders.go) {
    orders.timer = setTimeout(orders.go, REST_MS)
    return
  }
  await new Promise<void>((resolve) => {
    orders.go = () => {
      clearTimeout(orders.timer)
      orders.go = null
      resolve()
    }
    orders.timer = setTimeout(orders.go, REST_MS)
  })
  const before = orders.last
  const send = async () => {
    await before
    if (!orders.waiting.length) return
    orders.sent = orders.waiting
    orders.waiting = []
    try {
      orders.written = await write((order) => afterAll(orders.sent, order))
    } finally {
      orders.sent = []
      changed()
    }
  }
  const sending = send()
  orders.last = sending.catch(() => {})
  await sending
}

/** True while any survey has unsaved moves. */
export const isOrderOpen = (): boolean => [...known.values()].some(({ waiting, sent }) => waiting.length + sent.length > 0)

/** Saves waiting moves at once, such as when their list closes. */
export function flushOrders(): void {
  for (const { go } of known.values()) go?.()
}
/** Saves waiting moves at once; resolves when they are saved or refused. */
export async function writtenOrders(survey: number): Promise<void> {
  const orders = ordersOf(survey)
  orders.go?.()
  await Promise.resolve()
  await orders.last
}

/** Returns an order with all unsaved moves applied. */
export function orderShown(survey: number, order: readonly number[]): readonly number[] {
  const { written, sent, waiting } = ordersOf(survey)
  const places = new Map(written?.map((id, at) => [id, at]))
  const placeOf = (id: number) => places.get(id) ?? places.size
  return afterAll([...sent, ...waiting], written ? order.toSorted((a, b) => placeOf(a) - placeOf(b)) : order)
}
/** Forgets the saved order, because the list has read it. */
export function orderRead(survey: number): void {
  const orders = ordersOf(survey)
  if (!orders.written || orders.waiting.length || orders.sent.length) return
  orders.written = null
  changed()
}

/** Returns a number that changes with every move, for `useSyncExternalStore`. */
export const orderVersion = (): number => version
export function onOrder(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

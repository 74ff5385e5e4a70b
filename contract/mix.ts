/** A partner's offer: at most `completes`, at this price each, within `field_days` (null if unknown). */
export interface Offer {
  id: number
  completes: number
  cpi_cents: number
  field_days: number | null
}

/** How many completes to take from one offer. */
export interface Share {
  id: number
  completes: number
}

/** An order filled from several offers. */
export interface Mix {
  shares: Share[]
  completes: number
  /** Ordered completes that no offer fills. */
  short: number
  cost_cents: number
  /** Days until the slowest share is done; null if an offer in it names none. */
  days: number | null
}

export const MIX_KINDS = ['cheapest', 'fastest', 'one'] as const
export type MixKind = (typeof MIX_KINDS)[number]

/** The default margin, and the floor below which a margin is shown in red, both in percent. */
export const MARGIN = { usual: 35, floor: 15 } as const

/** Returns the days a share takes: its part of the offer's field days, rounded up; null if the offer names none. */
export const shareDays = (offer: Pick<Offer, 'completes' | 'field_days'>, completes: number): number | null =>
  offer.field_days === null ? null : Math.ceil((completes * offer.field_days) / offer.completes)

/** Sums up shares of an order. Shares of unknown offers or without completes are left out. */
export function mixOf(offers: readonly Offer[], shares: readonly Share[], ordered: number): Mix {
  const mix: Mix = { shares: [], completes: 0, short: 0, cost_cents: 0, days: 0 }
  for (const { id, completes } of shares) {
    const offer = offers.find((one) => one.id === id)
    if (!offer || completes <= 0) continue
    const days = shareDays(offer, completes)
    mix.shares.push({ id, completes })
    mix.completes += completes
    mix.cost_cents += completes * offer.cpi_cents
    mix.days = days === null || mix.days === null ? null : Math.max(mix.days, days)
  }
  if (!mix.shares.length) mix.days = null
  mix.short = Math.max(0, ordered - mix.completes)
  return mix
}

/** An offer without field days counts as the slowest. */
const daysOf = ({ field_days }: Offer): number => field_days ?? Number.POSITIVE_INFINITY
const byPrice = (a: Offer, b: Offer): number =>
  a.cpi_cents - b.cpi_cents ||
  b.completes - a.completes ||
  Number(daysOf(a) > daysOf(b)) - Number(daysOf(a) < daysOf(b)) ||
  a.id - b.id

/** Fills an order from the cheapest offer up, each limited by `atMost`. */
function fill(offers: readonly Offer[], ordered: number, atMost: (offer: Offer) => number): Share[] {
  let left = ordered
  const shares: Share[] = []
  for (const offer of [...offers].sort(byPrice)) {
    const completes = Math.min(left, atMost(offer))
    if (completes > 0) shares.push({ id: offer.id, completes })
    left -= completes
  }
  return shares
}

/** Returns the completes that an offer delivers within some days at an even pace. */
const within = (offer: Offer, days: number): number =>
  days >= daysOf(offer)
    ? offer.completes
    : offer.field_days === null
      ? 0
      : Math.floor((offer.completes * days) / offer.field_days)

/** Returns the cheapest mix that fills the order, or as much of it as possible. */
export const cheapestMix = (offers: readonly Offer[], ordered: number): Mix =>
  mixOf(
    offers,
    fill(offers, ordered, ({ completes }) => completes),
    ordered,
  )

/** Returns the mix that fills the order, or as much of it as possible, in the fewest days, and then most cheaply. */
export function fastestMix(offers: readonly Offer[], ordered: number): Mix {
  const total = offers.reduce((sum, { completes }) => sum + completes, 0)
  const wanted = Math.min(ordered, total)
  const enough = (days: number) => offers.reduce((sum, offer) => sum + within(offer, days), 0) >= wanted
  const longest = Math.max(0, ...offers.map(({ field_days }) => field_days ?? 0))
  // If the offers with field days don't fill the order, the others must be taken, and their time is unknown.
  if (!enough(longest)) return cheapestMix(offers, ordered)
  let [low, high] = [0, longest]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (enough(middle)) high = middle
    else low = middle + 1
  }
  return mixOf(
    offers,
    fill(offers, ordered, (offer) => within(offer, low)),
    ordered,
  )
}

/** Returns the cheapest single offer that fills the order, or else the one that fills most of it. */
export function oneOfferMix(offers: readonly Offer[], ordered: number): Mix {
  const filled = (offer: Offer) => Math.min(offer.completes, ordered)
  const [best] = [...offers].sort((a, b) => filled(b) - filled(a) || byPrice(a, b))
  return mixOf(offers, best ? [{ id: best.id, completes: filled(best) }] : [], ordered)
}

/** Returns the three mixes that the screen compares. */
export const mixesOf = (offers: readonly Offer[], ordered: number): Record<MixKind, Mix> => ({
  cheapest: cheapestMix(offers, ordered),
  fastest: fastestMix(offers, ordered),
  one: oneOfferMix(offers, ordered),
})

/** Returns what is left of a cost after partners are paid: cents, and percent of the cost with one decimal. */
export const marginOf = (cost_cents: number, partner_cents: number): { margin_cents: number; margin_percent: number } => ({
  margin_cents: cost_cents - partner_cents,
  margin_percent: cost_cents > 0 ? Math.round(((cost_cents - partner_cents) / cost_cents) * 1000) / 10 : 0,
})

/** Returns the cost that leaves this margin, rounded up to a whole dollar. */
export const costAtMargin = (partner_cents: number, percent: number = MARGIN.usual): number =>
  Math.ceil((partner_cents * 100) / (100 - percent) / 100) * 100

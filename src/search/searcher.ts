import { countOf, has, type Steps } from './bits.ts'
import { Builder, buildIndex } from './build.ts'
import { foldWords } from './fold.ts'
import { fitOf, type LeadingRow, yields } from './heldRow.ts'
import { rangesOfRow } from './highlight.ts'
import type { Token } from './lookup.ts'
import { omissions } from './omissions.ts'
import { byOrder, type RankedRow } from './order.ts'
import { type Query, readQuery } from './query.ts'
import { Segment } from './segment.ts'
import { LEVEL } from './tokenMatch.ts'
import {
  type Changes,
  type Entity,
  type Hit,
  type PackedIndex,
  type SearchAnswer,
  type SearchOptions,
  TIER,
  type Tier,
} from './types.ts'

/** With this many good hits, the weaker tiers (initials, inside, fuzzy) are skipped. */
const FEW = 12

/** The stages of a search with the level that every token must reach; `used` ones need several words. */
const STAGES: { tier: Tier; least: number; used?: true }[] = [
  { tier: TIER.code, least: -1 },
  { tier: TIER.name, least: -1 },
  { tier: TIER.begins, least: -1, used: true },
  { tier: TIER.words, least: LEVEL.start, used: true },
  { tier: TIER.detail, least: LEVEL.detail, used: true },
  { tier: TIER.begins, least: -1 },
  { tier: TIER.words, least: LEVEL.start },
  { tier: TIER.detail, least: LEVEL.detail },
  { tier: TIER.initials, least: LEVEL.acronym },
  { tier: TIER.inside, least: LEVEL.inside },
  { tier: TIER.skipped, least: LEVEL.skipped },
  { tier: TIER.fuzzy, least: LEVEL.letters },
]

/** Opens a packed index for searching on this thread. */
export const openIndex = (packed: PackedIndex): Searcher => new Searcher(packed)

/**
 * A big index and small ones with the changes since, each name in exactly one; results equal those of a rebuild.
 * Small indexes of similar size are merged, so that changes stay cheap and searches visit few of them.
 */
export class Searcher {
  private segments: Segment[]
  private frecency = new Map<string, number>()
  /** Counts changes and searches: a suspended search restarts if it differs, because its sets may be gone. */
  private turn = 0
  /** The best row of the last text, and of the text before its last letter. */
  private typed: Typed | null = null

  constructor(packed: PackedIndex) {
    const base = new Segment(packed)
    this.segments = [base]
    for (let rank = 0; rank < base.used; rank++) this.frecency.set(base.keyOf(rank), packed.used[rank]!)
  }

  /** The number of entities that can be found. */
  get size(): number {
    return this.segments.reduce((sum, segment) => sum + segment.live, 0)
  }

  /** The number of entities outside the big index; beyond a few thousand, rebuild it. */
  get changed(): number {
    return this.segments.slice(1).reduce((sum, segment) => sum + segment.live, 0) + this.segments[0]!.dead
  }

  /** Returns the entity of a key. */
  get(key: string): Entity | null {
    const place = this.find(key)
    return place === null ? null : place.segment.entity(place.rank)
  }

  /** Searches; `SearchAnswer` describes what a suspended search returns. */
  search(text: string, options: SearchOptions = {}): SearchAnswer {
    const { segments } = this
    for (const segment of segments) segment.sets.trim()
    const query = readQuery(text, {
      isCode: (code) => segments.some((segment) => segment.called(code).some((rank) => segment.isAlive(rank))),
      isKnown: (token) => segments.some((segment) => segment.knows(token)),
      isSlip: (token) => segments.some((segment) => segment.slips(token)),
      isWord: (word) => segments.some((segment) => segment.hasWord(word)),
    })
    const found: RankedRow[] = []
    const held = this.heldFor(text, query, options)
    const steps = stages(query, segments, options, found, held)
    const run: Run = { text, query, options, found, shown: 0, turn: ++this.turn, steps }
    return this.go(run, options.budgetMs)
  }

  /** Returns the previous best row, if the same word is still being typed and the row still fits. */
  private heldFor(text: string, query: Query, { kinds }: SearchOptions): LeadingRow | null {
    const scope = kinds?.join() ?? ''
    const { typed } = this
    const continues = typed !== null && typed.scope === scope && isLonger(typed.text, text)
    const before = continues ? typed.first : typed !== null && typed.scope === scope && typed.text === text ? typed.before : null
    this.typed = { text, scope, before, first: before }
    const place = before === null ? null : this.find(before)
    if (place === null) return null
    const fit = fitOf(query, place.segment, place.rank)
    return fit === null ? null : { ...place, ...fit }
  }

  private go(run: Run, budgetMs = Number.POSITIVE_INFINITY): SearchAnswer {
    if (run.turn !== this.turn) return this.again(run, budgetMs)
    const deadline = performance.now() + budgetMs
    for (const hit of run.found) take(hit)
    let complete = false
    do complete = run.steps.next().done === true
    while (!complete && performance.now() < deadline)
    for (const hit of run.found) release(hit)
    const answer: SearchAnswer = { hits: toHits(run), complete }
    run.shown = run.found.length
    const [top] = run.found
    if (this.typed?.text === run.text) this.typed.first = top === undefined ? null : top.segment.keyOf(top.rank)
    if (!complete) answer.resume = (nextMs) => this.go(run, nextMs)
    return answer
  }

  /** Restarts a suspended search after a change or another search, and returns what wasn't returned yet. */
  private again(run: Run, budgetMs: number): SearchAnswer {
    const shown = new Set(run.found.map(({ segment, rank }) => segment.keyOf(rank)))
    const unseen = (answer: SearchAnswer): SearchAnswer => {
      const { resume } = answer
      const out: SearchAnswer = { hits: answer.hits.filter((hit) => !shown.has(hit.key)), complete: answer.complete }
      if (resume !== undefined) out.resume = (nextMs) => unseen(resume(nextMs))
      return out
    }
    return unseen(this.search(run.text, { ...run.options, budgetMs }))
  }

  /** Applies changes: drops first, then puts. A put entity keeps its key's use. */
  apply({ put, drop }: Changes): void {
    if (put.length === 0 && drop.length === 0) return
    this.turn++
    for (const key of drop) {
      this.bury(key)
      this.frecency.delete(key)
    }
    const fresh = new Map<string, Entity>()
    for (const entity of put) fresh.set(entity.key, entity)
    for (const key of fresh.keys()) this.bury(key)
    if (fresh.size > 0) this.add([...fresh.values()])
  }

  /** Sets the frecency of keys (frecency.ts): used names rank above unused ones in their tier. Ignores unknown keys. */
  use(uses: Iterable<readonly [key: string, frecency: number]>): void {
    const put: Entity[] = []
    for (const [key, frecency] of uses) {
      const entity = this.frecency.get(key) === frecency ? null : this.get(key)
      if (entity === null) continue
      this.frecency.set(key, frecency)
      put.push(entity)
    }
    this.apply({ put, drop: [] })
  }

  /** Packs all live entities into one index; takes seconds for a million names. */
  pack(): PackedIndex {
    const builder = new Builder()
    for (const entity of this.entities()) builder.add(entity)
    return builder.finish(this.frecency)
  }

  /** Yields all live entities; concurrent changes may or may not be included. */
  *entities(): Generator<Entity> {
    const { segments } = this
    for (const segment of segments)
      for (let rank = 0; rank < segment.size; rank++) if (segment.isAlive(rank)) yield segment.entity(rank)
  }

  private find(key: string): { segment: Segment; rank: number } | null {
    for (const segment of this.segments) {
      const rank = segment.find(key)
      if (rank >= 0) return { segment, rank }
    }
    return null
  }

  private bury(key: string): void {
    const place = this.find(key)
    if (place !== null) place.segment.bury(place.rank)
  }

  private add(entities: Entity[]): void {
    const kept = [...this.segments]
    while (kept.length > 1 && kept[kept.length - 1]!.live <= entities.length * 2) {
      const last = kept.pop()!
      for (let rank = 0; rank < last.size; rank++) if (last.isAlive(rank)) entities.push(last.entity(rank))
    }
    kept.push(new Segment(buildIndex(entities, this.frecency)))
    this.segments = kept
  }
}

type Run = {
  text: string
  query: Query
  options: SearchOptions
  found: RankedRow[]
  /** How many of `found` have been returned. */
  shown: number
  turn: number
  steps: Steps<void>
}

/** A searched text with its best row, and that of the text before. */
type Typed = { text: string; scope: string; before: string | null; first: string | null }

const SIGN = /[\p{L}\p{N}]$/u
/** True if the longer text continues the last word of the other. */
const isLonger = (before: string, now: string): boolean =>
  now.length > before.length &&
  now.startsWith(before) &&
  SIGN.test(before) &&
  /^[\p{L}\p{N}\p{M}]+$/u.test(now.slice(before.length))

/**
 * Puts the previous best row in front again, so that typing a word to its end doesn't lose it.
 * A code, a whole name, or a whole word (if its own is only a beginning) comes before it.
 */
function holdFirst(query: Query, held: LeadingRow, stage: RankedRow[]): void {
  const [first] = stage
  if (first === undefined || first.tier <= TIER.name) return
  const { segment, rank } = held
  const at = stage.findIndex((one) => one.segment === segment && one.rank === rank)
  if (at === 0) return
  const last = query.tokens.at(-1)!
  if (first.tier <= TIER.detail && !held.whole && has(first.segment.sets.of(last, LEVEL.whole), first.rank)) return
  if (yields(query, held, first)) return
  if (at > 0) stage.unshift(...stage.splice(at, 1))
  else stage.unshift({ segment, rank, tier: held.tier, sum: 0, without: held.without })
}

/** Searches in stages, in steps of about ten microseconds; `found` has a stage's results when it ends. */
function* stages(
  query: Query,
  segments: readonly Segment[],
  options: SearchOptions,
  found: RankedRow[],
  held: LeadingRow | null,
): Steps<void> {
  const limit = options.limit ?? 50
  if (query.tokens.length === 0) return
  const masks: (Int32Array | null)[] = []
  for (const segment of segments) masks.push(yield* segment.mask(options.kinds))
  for (const { tier, least, used } of STAGES) {
    if (used && (query.tokens.length < 2 || !segments.some((segment) => segment.used > 0))) continue
    if (found.length >= limit || (!used && tier > TIER.words && found.length >= FEW)) return
    if (tier >= TIER.skipped && found.length > 0) return
    if (least >= 0) for (const segment of segments) for (const token of query.tokens) yield* segment.sets.prepare(token, least)
    const stage: RankedRow[] = []
    for (const [i, segment] of segments.entries())
      if (!used || segment.used > 0)
        yield* find(query, segment, tier, least, used ? segment.usedOnly(masks[i]!) : masks[i]!, limit - found.length, stage)
    stage.sort(byOrder)
    const ordered = tier === TIER.fuzzy ? wholeFirst(stage.slice(0, limit - found.length), query) : stage
    if (held !== null && found.length === 0) {
      for (const segment of segments) yield* segment.sets.prepare(query.tokens.at(-1)!, LEVEL.whole)
      holdFirst(query, held, ordered)
    }
    keep(ordered, limit, found)
    yield
  }
  yield* partly(query, segments, masks, limit, found, held)
  // The word is growing towards one that the row has.
  if (found.length === 0 && held !== null) keep([{ ...held, sum: 0 }], limit, found)
}

/** Puts names that match completely before those that continue: "nestley" is Nestlé before its projects. */
function wholeFirst(stage: readonly RankedRow[], { tokens }: Query): RankedRow[] {
  const isAll = ({ segment: { p }, rank }: RankedRow): boolean => p.wordsAt[rank + 1]! - p.wordsAt[rank]! === tokens.length
  return [...stage.filter(isAll), ...stage.filter((hit) => !isAll(hit))]
}

function keep(stage: RankedRow[], limit: number, found: RankedRow[]): void {
  for (const hit of stage.slice(0, limit - found.length)) {
    found.push(hit)
    take(hit)
  }
}

/** Finds names that have all but some of the words, if none has all. */
function* partly(
  query: Query,
  segments: readonly Segment[],
  masks: readonly (Int32Array | null)[],
  limit: number,
  found: RankedRow[],
  held: LeadingRow | null,
): Steps<void> {
  if (found.length > 0) return
  const size = segments.reduce((sum, segment) => sum + segment.live, 0)
  const names = new Map<string, number>()
  for (const token of query.tokens) {
    let sum = 0
    for (const [i, segment] of segments.entries()) {
      yield* segment.sets.prepare(token, LEVEL.detail)
      sum += countOf(segment.sets.of(token, LEVEL.detail), masks[i]!)
      yield
    }
    names.set(token.text, sum)
  }
  for (const { without, least, instead } of omissions(query.tokens, names, query.open, size)) {
    if (instead !== undefined && found.length > 0) continue
    const rest = query.tokens.filter((token) => !without.includes(token))
    if (instead !== undefined) rest.push(instead)
    for (const segment of segments) for (const token of rest) yield* segment.sets.prepare(token, least)
    const stage: RankedRow[] = []
    const left = without.map(({ text }) => text)
    for (const [i, segment] of segments.entries())
      for (const { rank, sum } of yield* segment.collect(rest, least, masks[i]!, limit - found.length))
        stage.push({ segment, rank, tier: TIER.partly, sum, without: left })
    stage.sort(byOrder)
    if (held !== null && found.length === 0) holdFirst(query, held, stage)
    keep(stage, limit, found)
    if (found.length >= FEW) return
  }
}

/** Two letters may be initials within a name, if another word narrows the names. */
const PAIR = /^[a-z]{2}$/

function* find(
  query: Query,
  segment: Segment,
  tier: Tier,
  least: number,
  mask: Int32Array | null,
  need: number,
  into: RankedRow[],
): Steps<void> {
  const plain = (ranks: Iterable<number>, sum: number): void => {
    for (const rank of ranks) into.push({ segment, rank, tier, sum })
  }
  const mixed = /[a-z]/.test(query.squeezed) && /[0-9]/.test(query.squeezed)
  if (tier === TIER.code) {
    const called = segment.called(query.squeezed).filter((rank) => mask === null || has(mask, rank))
    plain([...new Set(called)].sort((a, b) => a - b).slice(0, need), 0)
  } else if (tier === TIER.name) {
    const named = new Set(yield* segment.named(query.words, true, mask, need))
    for (const reading of query.readings) for (const rank of yield* segment.named(reading, true, mask, need)) named.add(rank)
    plain([...named].sort((a, b) => a - b).slice(0, need), 0)
  } else if (tier === TIER.begins) {
    const named = yield* segment.named(query.words, false, mask, need)
    const called = mixed ? yield* segment.calledAlike(query.squeezed, mask, need) : []
    plain(new Set([...named, ...called]), 0)
  } else {
    const picks = yield* segment.collect(query.tokens, least, mask, need)
    for (const { rank, sum } of picks) into.push({ segment, rank, tier, sum })
    if (tier === TIER.skipped && query.tokens.length > 1) {
      const known = new Set(picks.map(({ rank }) => rank))
      for (const pair of query.tokens) {
        if (!PAIR.test(pair.text)) continue
        const others = query.tokens.filter((token) => token !== pair)
        for (const rank of yield* segment.withPair(pair, others, mask)) if (!known.has(rank)) plain([rank], -1)
        for (const one of into) if (one.segment === segment) known.add(one.rank)
      }
    }
    if (tier !== TIER.initials || mixed) return
    const known = new Set(picks.map(({ rank }) => rank))
    const called = yield* segment.calledAlike(query.squeezed, mask, need)
    plain(
      called.filter((rank) => !known.has(rank)),
      -1,
    )
  }
}

/** Returns the tokens to mark: a code, or a word of another script, may be several words in the name. */
function tokensToMark({ query: { tokens }, text }: Run): Token[] {
  const words = foldWords(text)
  if (tokens.every((token) => words.includes(token.text))) return tokens
  return [...new Map([...tokens, ...readQuery(text).tokens].map((token) => [token.text, token])).values()]
}

function toHits(run: Run): Hit[] {
  const tokens = run.found.length === run.shown ? [] : tokensToMark(run)
  return run.found.slice(run.shown).map(({ segment, rank, tier, sum, without = [] }, i) => {
    const name = segment.nameOf(rank)
    const id = segment.idOf(rank)
    const kind = segment.kindOf(rank)
    const score = (STAGES.length - tier) * 1000 + sum - (run.shown + i) / 1000
    const detail = segment.detailOf(rank)
    const there = without.length === 0 ? tokens : tokens.filter(({ text }) => !without.includes(text))
    const [ranges, detailRanges] = rangesOfRow(name, detail, there)
    return { key: `${kind}:${id}`, kind, id, name, detail, score, tier, ranges, detailRanges, used: rank < segment.used, without }
  })
}

const take = ({ segment, rank }: RankedRow): void => {
  segment.taken[rank >>> 5]! |= 1 << (rank & 31)
}
const release = ({ segment, rank }: RankedRow): void => {
  segment.taken[rank >>> 5]! &= ~(1 << (rank & 31))
}

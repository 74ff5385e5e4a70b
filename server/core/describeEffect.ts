import type { Sentence } from '../../contract/effectText.ts'
import { type Effect, type EffectId, effectOf, type Facts, sentenceOf } from '../../contract/writeEffects.ts'
import type { Ctx } from './context.ts'

/** Says that a secret is shown once, which a dry run doesn't show. */
export const shownOnce = ({ dry }: Pick<Ctx, 'dry'>, what: string): readonly string[] =>
  dry ? [] : [`Copy the ${what} now. It’s shown once.`]

/** A secret as the response shows it: a dry run made one that opens nothing, and shows none. */
export const shownSecret = ({ dry }: Pick<Ctx, 'dry'>, secret: string): string => (dry ? '' : secret)

/** Describes a write's effect for its response: what would be done, what starts in some seconds, or what was done. */
export const describeEffect = (ctx: Pick<Ctx, 'dry'>, effect: EffectId | Effect, facts: Facts): Sentence =>
  sentenceOf(typeof effect === 'string' ? effectOf(effect) : effect, facts, ctx.dry ? 'before' : facts.seconds ? 'soon' : 'after')

import type { ExpressionBuilder } from 'kysely'
import { spellingsOfId } from '../../../contract/externalId.ts'
import type { Ctx, Services } from '../../core/context.ts'
import type { Db, Tx } from '../../db/connect.ts'
import type { RespondentTable, Schema } from '../../db/schema.ts'
import { dayNumber } from './intake.ts'

/** Days after arrival during which a respondent can be corrected, withdrawn or put back (decisions.md 13). */
export const CHANGEABLE_DAYS = 30

/** A survey's withdrawn respondent by its id. */
export const withdrawnOf = (tx: Db | Tx, survey: number, id: string) =>
  tx
    .selectFrom('withdrawn_respondents')
    .selectAll()
    .where('survey_id', '=', survey)
    .where('respondent_id', 'in', spellingsOfId(id))
    .executeTakeFirst()

/** Remembers that a stored respondent is withdrawn, and what it takes to put it back. */
export async function keepOut(ctx: Pick<Ctx, 'tx' | 'now'>, survey: number, id: string): Promise<void> {
  const { answers, ...stored } = await ctx.tx
    .selectFrom('respondents')
    .selectAll()
    .where('survey_id', '=', survey)
    .where('respondent_id', '=', id)
    .executeTakeFirstOrThrow()
  await ctx.tx
    .insertInto('withdrawn_respondents')
    .values({
      ...{ survey_id: survey, respondent_id: id, withdrawn_at: ctx.now, answers },
      ...{ arrived: arrivedOn(stored), stored: JSON.stringify(stored) },
    })
    .execute()
}

/** The day a respondent arrived. */
export const arrivedOn = ({ taken_on, at }: Pick<RespondentTable, 'taken_on' | 'at'>): number =>
  taken_on ?? dayNumber(new Date(at))
/** True while a respondent that arrived on a day can be changed. */
export const isChangeable = (now: string, arrived: number): boolean => dayNumber(new Date(now)) - arrived <= CHANGEABLE_DAYS

/** Forgets what withdrawn respondents were, once they can't be put back as they were; their ids stay out. */
export async function forgetWithdrawn({ database, now }: Services): Promise<void> {
  const { db } = database
  const old = (eb: ExpressionBuilder<Schema, 'withdrawn_respondents'>) =>
    eb.and([eb('stored', '<>', ''), eb('arrived', '<', dayNumber(now()) - CHANGEABLE_DAYS)])
  // Usually there are none, and an update would count as a write.
  if (await db.selectFrom('withdrawn_respondents').select('survey_id').where(old).limit(1).executeTakeFirst())
    await db.updateTable('withdrawn_respondents').set({ stored: '', answers: '' }).where(old).execute()
}

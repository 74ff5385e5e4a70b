import { sql } from 'kysely'
import type { Ctx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { projectScope } from '../../core/scope.ts'
import { locked } from '../../db/locked.ts'

/** A survey locked for a write to its questions, until the transaction ends; throws 404. */
export async function surveyToWrite(ctx: Ctx, id: number) {
  const query = ctx.tx.selectFrom('surveys').selectAll().where('id', '=', id).where('deleted_at', 'is', null)
  const survey = await locked(ctx.services.database, query).executeTakeFirst()
  const project =
    survey &&
    (await ctx.tx
      .selectFrom('projects')
      .select('id')
      .where('id', '=', survey.project_id)
      .where(projectScope(ctx.actor))
      .executeTakeFirst())
  if (!survey || !project) throw notFound(`Survey ${id}`)
  return survey
}

/** The active survey questions by position. */
export const positionsOf = (ctx: Ctx, survey_id: number): Promise<{ id: number; position: number }[]> =>
  ctx.tx
    .selectFrom('questions')
    .select(['id', 'position'])
    .where('survey_id', '=', survey_id)
    .where('question_type', '=', 'survey')
    .where('retired_at', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute()

/** Writes the positions of questions in one statement, which also raises their locks. */
export async function writePositions(ctx: Ctx, places: readonly { id: number; position: number }[]): Promise<void> {
  if (!places.length) return
  const cases = sql.join(
    places.map(({ id, position }) => sql`when ${sql.lit(id)} then ${sql.lit(position)}`),
    sql` `,
  )
  await ctx.tx
    .updateTable('questions')
    .set((eb) => ({
      position: sql<number>`case id ${cases} end`,
      updated_at: ctx.now,
      lock_version: eb('lock_version', '+', 1),
    }))
    .where(
      'id',
      'in',
      places.map(({ id }) => id),
    )
    .execute()
}

/** Frees a position: the question there moves down, and so on (screens-projects.md, Questions). */
export async function makeRoom(ctx: Ctx, survey_id: number, position: number, but = 0): Promise<void> {
  const moved: { id: number; position: number }[] = []
  let free = position
  for (const question of await positionsOf(ctx, survey_id)) {
    if (question.id === but || question.position < position) continue
    if (question.position > free) break
    free = Math.max(free, question.position) + 1
    moved.push({ id: question.id, position: free })
  }
  await writePositions(ctx, moved)
}

/** The position after the last survey question. */
export const nextPosition = async (ctx: Ctx, survey_id: number): Promise<number> =>
  ((await positionsOf(ctx, survey_id)).at(-1)?.position ?? 0) + 1

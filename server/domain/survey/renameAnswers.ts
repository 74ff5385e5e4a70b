import { sql } from 'kysely'
import { count, counted } from '../../../contract/format.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import { advisoryLock } from '../../db/locked.ts'
import { lookupOf } from '../responses/answerCodes.ts'

/** The most answers renamed in one write: more would delay their survey's intake too long. */
const RENAMED_AT_ONCE = 20_000
const PAGE = 500

/** A renamed option. */
export interface Rename {
  from: string
  to: string
}

/** Completes by answer of a question; answers without completes are missing. */
export async function completesByAnswer(
  ctx: Pick<Ctx, 'db'>,
  question: { id: number; survey_id: number },
): Promise<Map<string, number>> {
  const rows = await ctx.db
    .selectFrom('answer_cells')
    .select((eb) => ['value', eb.fn.sum<number>('completes').as('completes')])
    .where('survey_id', '=', question.survey_id)
    .where('question_id', '=', question.id)
    .groupBy('value')
    .execute()
  return new Map(rows.map(({ value, completes }) => [value, Number(completes)] as const).filter(([, completes]) => completes > 0))
}

/** The renamed options: those at the position of one that is gone, if the number of options is the same. */
export function renamesOf(before: readonly string[], after: readonly string[]): Rename[] {
  if (before.length !== after.length) return []
  return before.flatMap((from, at) => {
    const to = after[at]!
    return from === to || after.includes(from) || before.includes(to) ? [] : [{ from, to }]
  })
}

/** Throws 409 `answers_given` until the caller says whether to rename given answers too. */
export function confirmRenames(renames: readonly Rename[], completesOf: ReadonlyMap<string, number>): void {
  const affected = renames.flatMap(({ from, to }) =>
    completesOf.has(from) ? [{ from, to, answers: completesOf.get(from)! }] : [],
  )
  const [first] = affected
  if (!first) return
  const answers = counted(first.answers, 'answer says', 'answers say')
  throw new HttpError(409, 'answers_given', `${answers} "${first.from}". Rename ${first.answers === 1 ? 'it' : 'them'} too?`, {
    given: affected,
  })
}

/**
 * Renames given answers in counters, columns and respondents.
 * Throws 409 if the new label already has answers, because nobody could tell them apart afterwards.
 */
export async function renameAnswers(
  ctx: Ctx,
  question: { id: number; survey_id: number },
  renames: readonly Rename[],
  completesOf: ReadonlyMap<string, number>,
): Promise<void> {
  const wanted = renames.filter(({ from }) => completesOf.has(from))
  if (!wanted.length) return
  const taken = wanted.find(({ to }) => completesOf.has(to))
  if (taken) throw new HttpError(409, 'not_now', `“${taken.to}” already has answers, so the renamed ones couldn’t be told apart.`)
  const all = wanted.reduce((sum, { from }) => sum + completesOf.get(from)!, 0)
  if (all > RENAMED_AT_ONCE)
    throw new HttpError(
      409,
      'too_many',
      `${count(all)} answers can’t be renamed at once, only ${count(RENAMED_AT_ONCE)}. Keep them as they are.`,
    )
  await advisoryLock(ctx.services.database, ctx.tx, 'survey', question.survey_id)
  const labels = new Map(wanted.map(({ from, to }) => [from, to]))
  await renameCells(ctx, question, labels)
  await renameTexts(ctx, question, labels)
  await renameRespondents(ctx, 'respondents', question, labels)
  await renameRespondents(ctx, 'withdrawn_respondents', question, labels)
}

type Labels = ReadonlyMap<string, string>
const ofQuestion = ({ id, survey_id }: { id: number; survey_id: number }) => ({ survey_id, question_id: id })

/** The label is part of a row's key, so rows are replaced. */
async function renameCells(ctx: Ctx, question: { id: number; survey_id: number }, labels: Labels): Promise<void> {
  const { survey_id, question_id } = ofQuestion(question)
  const those = ctx.tx
    .selectFrom('answer_cells')
    .selectAll()
    .where('survey_id', '=', survey_id)
    .where('question_id', '=', question_id)
    .where('value', 'in', [...labels.keys()])
  const rows = await those.execute()
  await ctx.tx
    .deleteFrom('answer_cells')
    .where('survey_id', '=', survey_id)
    .where('question_id', '=', question_id)
    .where('value', 'in', [...labels.keys()])
    .execute()
  if (rows.length)
    await ctx.tx
      .insertInto('answer_cells')
      .values(rows.map((row) => onlyColumns('answer_cells', { ...row, value: labels.get(row.value)! })))
      .execute()
}

async function renameTexts(ctx: Ctx, question: { id: number; survey_id: number }, labels: Labels): Promise<void> {
  const { survey_id, question_id } = ofQuestion(question)
  for (const [from, text] of labels)
    await ctx.tx
      .updateTable('answer_texts')
      .set({ text, lookup: lookupOf(text) })
      .where('survey_id', '=', survey_id)
      .where('question_id', '=', question_id)
      .where('lookup', '=', lookupOf(from))
      .execute()
}

/** Works page by page, with one statement for each. */
async function renameRespondents(
  ctx: Ctx,
  table: 'respondents' | 'withdrawn_respondents',
  question: { id: number; survey_id: number },
  labels: Labels,
): Promise<void> {
  const key = String(question.id)
  for (let after = ''; ; ) {
    const rows = await ctx.tx
      .selectFrom(table)
      .select(['respondent_id', 'answers'])
      .where('survey_id', '=', question.survey_id)
      .where('respondent_id', '>', after)
      .orderBy('respondent_id')
      .limit(PAGE)
      .execute()
    const changed = rows.flatMap(({ respondent_id, answers }) => {
      if (!answers.includes(`"${key}":`)) return []
      const renamed = JSON.parse(answers) as Record<string, string | string[]>
      const was = renamed[key]
      const now = Array.isArray(was) ? was.map((one) => labels.get(one) ?? one) : (labels.get(String(was)) ?? was)
      if (JSON.stringify(now) === JSON.stringify(was)) return []
      return [{ respondent_id, answers: JSON.stringify({ ...renamed, [key]: now }) }]
    })
    if (changed.length) {
      const cases = sql.join(
        changed.map((row) => sql`when ${row.respondent_id} then ${row.answers}`),
        sql` `,
      )
      await ctx.tx
        .updateTable(table)
        .set({ answers: sql<string>`case respondent_id ${cases} end` })
        .where('survey_id', '=', question.survey_id)
        .where(
          'respondent_id',
          'in',
          changed.map((row) => row.respondent_id),
        )
        .execute()
    }
    if (rows.length < PAGE) return
    after = rows.at(-1)!.respondent_id
  }
}

import type { z } from 'zod'
import { denialOf } from '../../contract/access.ts'
import { counted } from '../../contract/format.ts'
import { codeOf } from '../../contract/nounOf.ts'
import type { questionCalls } from '../../contract/question.ts'
import { QUESTION_TYPES, type QuestionType } from '../../contract/questionRules.ts'
import { quotedName } from '../../contract/writeEffects.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { assertAllowed, HttpError } from '../core/errors.ts'
import { type HandlersOf, ownTransaction } from '../core/handler.ts'
import { answeredAmong } from '../domain/survey/answered.ts'
import { addQuestions, readQuestions } from '../domain/survey/bulkQuestions.ts'
import { compare, sourceOf } from '../domain/survey/compareSource.ts'
import { surveyList } from '../domain/survey/list.ts'
import { positionsOf, surveyToWrite, writePositions } from '../domain/survey/positions.ts'
import { questionList } from '../domain/survey/questionList.ts'
import { addQuestion, changeQuestion, removeQuestion, usualType } from '../domain/survey/questions.ts'
import { applyComparison, type RefreshInput, sourceBefore } from '../domain/survey/refresh.ts'
import { startedJob } from './job.ts'

type ListInput = z.output<(typeof questionCalls)['question.list']['input']>

/** Counts active questions by type, and retired ones. */
async function countsOf(ctx: Pick<Ctx, 'db'>, survey_id: number) {
  const rows = await ctx.db
    .selectFrom('questions')
    .select((eb) => ['question_type', eb.fn.countAll<number>().as('count'), eb.fn.count<number>('retired_at').as('retired')])
    .where('survey_id', '=', survey_id)
    .groupBy('question_type')
    .execute()
  const of = (type: QuestionType) => {
    const row = rows.find(({ question_type }) => question_type === type)
    return row ? Number(row.count) - Number(row.retired) : 0
  }
  const [survey, profile, reward] = QUESTION_TYPES.map(({ value }) => of(value)) as [number, number, number]
  return { survey, profile, reward, retired: rows.reduce((sum, row) => sum + Number(row.retired), 0) }
}

async function page(ctx: Ctx, input: ListInput) {
  await surveyList.row(ctx, input.id)
  return { ...(await questionList.page(ctx, input)), counts: await countsOf(ctx, input.id) }
}

/** A question the caller may edit, with its survey locked. */
async function questionToWrite(ctx: Ctx, id: number) {
  const { survey_id } = await questionList.row(ctx, id)
  const survey = await surveyToWrite(ctx, survey_id)
  const was = await ctx.tx.selectFrom('questions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { survey, was, facts: { question_type: was.question_type, retired: was.retired_at !== null } }
}

/** Questions of surveys: their order, types and answers. */
export const questionHandlers: HandlersOf<typeof questionCalls> = {
  'question.list': (ctx) => page(ctx as Ctx, ctx.input),
  'question.get': async (ctx) => ({ data: await questionList.get(ctx, ctx.input.id) }),
  'survey.questions': async (ctx) => {
    const { id, type } = ctx.input
    await surveyList.row(ctx, id)
    const filter = { id, type, search: '', column: '', order: 'asc', answer_type: '', filter: '' } as const
    const data = [...(await questionList.shown(ctx, await questionList.rows(ctx, await questionList.ids(ctx, filter))))]
    return { data, count: data.length, page: 1 }
  },
  'question.create': async (ctx) => {
    const { survey_id, answer_type, question_type = 'survey', ...draft } = ctx.input
    const survey = await surveyToWrite(ctx, survey_id)
    const question = { ...draft, question_type, answer_type: answer_type ?? usualType(draft.options) }
    const id = await addQuestion(ctx as Ctx, survey, question)
    return { data: await questionList.get(ctx, id), message: describeEffect(ctx, 'question.create', { noun: 'question' }) }
  },
  'question.edit': async (ctx) => {
    const { id, lock_version, rename_answers, ...patch } = ctx.input
    const { survey, was, facts } = await questionToWrite(ctx as Ctx, id)
    assertAllowed(denialOf('question.edit', ctx.actor, facts))
    await changeQuestion(ctx as Ctx, survey, was, patch, { lock: lock_version, rename: rename_answers })
    return { data: await questionList.get(ctx, id), message: describeEffect(ctx, 'question.edit', { noun: 'question' }) }
  },
  'question.remove': async (ctx) => {
    const { survey, was, facts } = await questionToWrite(ctx as Ctx, ctx.input.id)
    assertAllowed(denialOf('question.remove', ctx.actor, facts))
    const retired = (await answeredAmong({ db: ctx.tx }, survey.id, [was])).has(was.id)
    await removeQuestion(ctx as Ctx, survey, was, { retire: retired })
    const words = [`${codeOf('question', was.id)} ${quotedName(was.name)}`, 'questions'] as const
    const rest = ', because it has answers: charts keep it'
    return {
      retired,
      message: retired
        ? describeEffect(ctx, 'question.retire', { words, rest })
        : describeEffect(ctx, 'question.remove', { words }),
    }
  },
  'question.reorder': async (ctx) => {
    const { id, ids } = ctx.input
    const survey = await surveyToWrite(ctx as Ctx, id)
    const now = await positionsOf(ctx as Ctx, id)
    const known = new Map(now.map((question) => [question.id, question.position]))
    if (new Set(ids).size !== ids.length || ids.length !== known.size || !ids.every((one) => known.has(one)))
      throw new HttpError(409, 'changed', 'Someone else added or deleted questions in the meantime. Order them again.', {
        fields: { ids: 'ids must be all survey questions in use, each once' },
        ids: now.map((question) => question.id),
      })
    const moved = ids.flatMap((one, at) => (known.get(one) === at + 1 ? [] : [{ id: one, position: at + 1 }]))
    await writePositions(ctx as Ctx, moved)
    if (moved.length) {
      const orderOf = (list: readonly number[]) => list.map((one) => codeOf('question', one)).join(' ')
      await ctx.record({
        subject: 'survey',
        subject_id: id,
        project_id: survey.project_id,
        before: { questions: orderOf(now.map((question) => question.id)) },
        after: { questions: orderOf(ids) },
      })
      ctx.emit({ noun: 'question', id: moved[0]!.id, project_id: survey.project_id, audience: 'admin' })
    }
    return { moved: moved.length, message: describeEffect(ctx, 'question.reorder', { count: moved.length, noun: 'question' }) }
  },
  'question.bulk': async (ctx) => {
    const { id, rows, question_type } = ctx.input
    const survey = await surveyToWrite(ctx as Ctx, id)
    if (ctx.dry) {
      const { errors, drafts } = await readQuestions({ db: ctx.tx }, id, rows, question_type)
      if (errors.length) {
        const of = `of ${counted(drafts.length, 'row')}`
        const facts = { count: new Set(errors.map(({ row }) => row)).size, words: [of, of] } as const
        return { data: { added: 0, errors, questions: [] }, message: describeEffect(ctx, 'question.refuse', facts) }
      }
    }
    const ids = await addQuestions(ctx as Ctx, survey, rows, question_type)
    const questions = [...(await questionList.shown(ctx, await questionList.rows(ctx, ids)))]
    return {
      data: { added: ids.length, errors: [], questions },
      message: describeEffect(ctx, 'question.bulk', { count: ids.length, noun: 'question' }),
    }
  },
  'survey.refresh': ownTransaction('writeIdempotent', async (ctx) => {
    // Refuses a survey without a source here, because a job could only fail later.
    await sourceBefore(ctx, (await surveyList.row(ctx as Ctx, ctx.input.id)).id)
    const { answer } = await ctx.writeIdempotent(ctx.input, async (writing) => {
      const survey = await surveyToWrite(writing as Ctx, ctx.input.id)
      const input: RefreshInput = { survey_id: survey.id }
      const job = await writing.services.jobs.add(writing as Ctx, {
        kind: 'question refresh',
        title: `Refresh questions: ${survey.name}`,
        input,
      })
      await writing.record({ subject: 'job', subject_id: job.id, project_id: survey.project_id, after: { refresh: survey.id } })
      return {
        data: await startedJob(writing as Ctx, job),
        message: describeEffect(ctx, 'survey.refresh', { words: ['the questions', 'questions'] }),
      }
    })
    return answer
  }),
  'survey.comparison': async (ctx) => {
    const survey = await surveyList.row(ctx, ctx.input.id)
    const { survey_id, digest, source, differences } = await compare(await sourceOf(ctx.services, ctx.db, survey), ctx.db, survey)
    return { data: { survey_id, digest, source, differences } }
  },
  'survey.applyComparison': ownTransaction('writeIdempotent', async (ctx) => {
    const before = await sourceBefore(ctx, (await surveyList.row(ctx as Ctx, ctx.input.id)).id)
    const { answer } = await ctx.writeIdempotent(ctx.input, async (writing) => {
      const counts = await applyComparison(writing as Ctx, before, ctx.input.digest)
      const words = Object.entries(counts).flatMap(([kind, count]) => (count ? [`${count} ${kind}`] : []))
      const rest = `: ${words.join(', ') || 'nothing changed'}`
      return { ...counts, message: describeEffect(ctx, 'survey.applyComparison', { words: ['questions', 'questions'], rest }) }
    })
    return answer
  }),
}

import { z } from 'zod'
import { Allowed, call, Id, listOf, Order, one, Page, Search } from './call.ts'

/** A survey as lists and details show it. */
export const Survey = z.object({
  id: z.number(),
  name: z.string(),
  project_id: z.number(),
  /** The specification's name for `project_id`. */
  survey_project_id: z.number(),
  project_name: z.string(),
  activity_id: z.number().nullable(),
  survey_link: z.string(),
  survey_vendor: z.string(),
  questions_count: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  ...Allowed,
})
export type Survey = z.infer<typeof Survey>

/** A question; `options` are its answers, empty for free text. */
export const Question = z.object({
  id: z.number(),
  survey_id: z.number(),
  name: z.string(),
  order: z.number(),
  question_type: z.enum(['survey', 'profile', 'reward']),
  options: z.array(z.string()),
  lock_version: z.number(),
})
export type Question = z.infer<typeof Question>

/** Surveys and their questions. */
export const surveyCalls = {
  'survey.list': call({
    method: 'GET',
    path: '/v3/portal/surveys/all',
    about: 'All surveys.',
    input: z.object({
      page: Page,
      search: Search,
      column: z.enum(['id', 'name', 'project_name', 'questions_count', 'updated_at']).default('id'),
      order: Order,
    }),
    output: listOf(Survey),
  }),
  'survey.get': call({
    method: 'GET',
    path: '/v3/portal/surveys/{id}',
    about: 'One survey.',
    input: z.object({ id: Id }),
    output: one(Survey),
  }),
  'survey.ofActivity': call({
    method: 'GET',
    path: '/v3/portal/activities/{id}/survey',
    about: "An activity's survey; null without one.",
    input: z.object({ id: Id }),
    output: one(Survey.nullable()),
  }),
  'survey.ofProject': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/surveys',
    about: "A project's surveys.",
    input: z.object({ id: Id }),
    output: listOf(Survey),
  }),
  'survey.questions': call({
    method: 'GET',
    path: '/v3/portal/surveys/{id}/questions/{type}',
    about: 'Questions of one type, in their order.',
    input: z.object({ id: Id, type: z.enum(['survey', 'profile', 'reward']) }),
    output: listOf(Question),
  }),
} as const

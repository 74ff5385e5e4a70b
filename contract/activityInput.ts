import { z } from 'zod'
import { Demographics, Markets } from './audience.ts'
import { Id } from './call.ts'
import { blankOr, needed } from './listInput.ts'
import { MESSAGES } from './messages.ts'
import { DateBack } from './projectInput.ts'
import { ACTION_TYPES, ACTIVITY_TYPES, acceptedWords, SOCIAL_TYPES, valueOfWord } from './vocabulary.ts'
import { inOrder, whenObject } from './whenObject.ts'

const types = ACTIVITY_TYPES.map(({ value }) => value) as [
  (typeof ACTIVITY_TYPES)[number]['value'],
  ...(typeof ACTIVITY_TYPES)[number]['value'][],
]
/** The types of activities, in the order of the form. */
export const ActivityType = z.enum(types, { error: blankOr('is required', ACTIVITY_TYPES) })
const actions = ACTION_TYPES.map(({ value }) => value)
export const isSocial = (value: string): boolean => SOCIAL_TYPES.some((type) => type.value === value)
/** The error of what isn't a social type. */
export const NOT_SOCIAL = `must be one of ${acceptedWords(SOCIAL_TYPES)}`
/** What an edit takes: also a social type that an older release stored, to be sent back unchanged. */
const SocialTypeBack = z
  .string()
  .trim()
  .max(40)
  .transform((typed) => valueOfWord(SOCIAL_TYPES, typed) ?? typed)
/** None, or a social type by its value or label. */
export const SocialTypeInput = SocialTypeBack.refine((typed) => typed === '' || isSocial(typed), NOT_SOCIAL)
const address = z.union([z.literal(''), z.url({ protocol: /^https?$/, message: 'must be a web address (https://…)' }).max(2000)])

/** The fields of an activity that a write can set; a blank action type means none. */
export const ActivityFields = {
  name: needed(MESSAGES.activityName),
  about: z.string().trim().max(10_000),
  activity_type: ActivityType,
  action_type: z.enum(['', ...actions], { error: blankOr(MESSAGES.actionType, ACTION_TYPES) }),
  social_type: SocialTypeBack,
  social_text: z.string().max(2000),
  social_link: z.string().max(2000),
  url: address,
  start_dt: DateBack,
  end_dt: DateBack,
}
/** The same for a new activity, where only name and type are required. */
export const NewActivityFields = {
  name: ActivityFields.name,
  about: needed(MESSAGES.activityAbout, 10_000),
  activity_type: ActivityType,
  action_type: ActivityFields.action_type.optional(),
  social_type: SocialTypeInput.default(''),
  social_text: ActivityFields.social_text.default(''),
  social_link: ActivityFields.social_link.default(''),
  url: address.default(''),
  start_dt: DateBack.optional(),
  end_dt: DateBack.optional(),
}

/** The edit form with its rules across fields. The call itself takes any of the fields alone. */
export const ActivityForm = z
  .object({
    ...ActivityFields,
    about: needed(MESSAGES.activityAbout, 10_000),
    start_dt: DateBack.optional(),
    end_dt: DateBack.optional(),
    file_ids: z.array(Id).max(100).default([]),
  })
  .refine((form) => (form.activity_type !== 'photo' && form.activity_type !== 'video') || form.action_type, {
    path: ['action_type'],
    message: MESSAGES.actionType,
    when: whenObject,
  })
  .refine((form) => inOrder(form.start_dt, form.end_dt), {
    path: ['start_dt'],
    message: MESSAGES.startBeforeEnd,
    when: whenObject,
  })

const filled = (list: unknown) => Array.isArray(list) && list.length > 0
const AUDIENCE = ['age', 'gender', 'hhi', 'ethnicity', 'marital_status', 'children', 'targeted_locations'] as const
/** True if any field of the audience or market was filled in; otherwise no target is created. */
export const asksAudience = (form: Readonly<Record<string, unknown>>): boolean =>
  Boolean(form.location_based) || AUDIENCE.some((name) => filled(form[name]))

/** The form of a new activity with its rules, for server and browser (projects-area 5). */
export const WholeInput = z
  .object({
    project_id: Id,
    ...NewActivityFields,
    location_based: z.enum(['yes', 'no'], { message: 'location_based is required' }).optional(),
    targeted_locations: Markets.default([]),
    age: Demographics.age.default([]),
    gender: Demographics.gender.default([]),
    hhi: Demographics.hhi.default([]),
    ethnicity: Demographics.ethnicity.default([]),
    marital_status: Demographics.marital_status.default([]),
    children: Demographics.children.default([]),
    /** An existing survey to link, instead of a URL or a file. */
    survey_id: Id.nullable().optional(),
    /** Ids of files the caller uploaded. */
    file_ids: z.array(Id).max(100).default([]),
  })
  // These also run when other fields are wrong, so that a form shows every error at once.
  .refine((form) => (form.activity_type !== 'photo' && form.activity_type !== 'video') || form.action_type, {
    path: ['action_type'],
    message: MESSAGES.actionType,
    when: whenObject,
  })
  .refine((form) => inOrder(form.start_dt, form.end_dt), {
    path: ['start_dt'],
    message: MESSAGES.startBeforeEnd,
    when: whenObject,
  })
  .refine((form) => !asksAudience(form) || filled(form.age), { path: ['age'], message: MESSAGES.oneAge, when: whenObject })
  .refine((form) => !asksAudience(form) || filled(form.gender), {
    path: ['gender'],
    message: MESSAGES.oneGender,
    when: whenObject,
  })
  .refine((form) => form.location_based !== 'no' || filled(form.targeted_locations), {
    path: ['targeted_locations'],
    message: MESSAGES.oneMarket,
    when: whenObject,
  })
  .refine((form) => !form.activity_type || form.activity_type === 'survey' || filled(form.file_ids), {
    path: ['file_ids'],
    message: 'Please upload at least one file',
    when: whenObject,
  })
  .refine((form) => form.activity_type !== 'survey' || form.survey_id || form.url || filled(form.file_ids), {
    path: ['url'],
    message: MESSAGES.surveyFileOrUrl,
    when: whenObject,
  })

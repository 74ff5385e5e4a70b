import { z } from 'zod'
import { activityCalls } from './activity.ts'
import { type Call, type CallSchema, EffectSentence, Flag, Id, type Method, one, Search } from './call.ts'
import { clientCalls } from './client.ts'
import { entryCalls } from './entry.ts'
import { paged } from './listInput.ts'
import { locationCalls, OlderLocation, olderLocation } from './location.ts'
import { Note, noteCalls } from './note.ts'
import { Notification, notificationCalls } from './notification.ts'
import { type OlderId, TWIN_OF } from './olderCalls.ts'
import { partnerCalls } from './partner.ts'
import { projectCalls } from './project.ts'
import { quoteCalls } from './quote.ts'
import { QuestionResponses, ResponseBase, responseCalls } from './responses.ts'
import { rewardCalls } from './reward.ts'
import { older as dashboard, GeoPoint, ofProject, runtimeCalls, Slice, TrendDay } from './runtime.ts'
import { sessionCalls } from './session.ts'
import { Team, TeamUser, teamCalls } from './team.ts'
import { ROLE_IDS, User, userCalls, userInputs } from './user.ts'
import { visitFilterCalls } from './visitFilter.ts'
import { labelOf, OLDER_AGES } from './vocabulary.ts'

const TWINS = {
  ...sessionCalls,
  ...userCalls,
  ...clientCalls,
  ...teamCalls,
  ...partnerCalls,
  ...projectCalls,
  ...quoteCalls,
  ...noteCalls,
  ...activityCalls,
  ...runtimeCalls,
  ...responseCalls,
  ...rewardCalls,
  ...entryCalls,
  ...locationCalls,
  ...notificationCalls,
  ...visitFilterCalls,
} as const
type Twins = typeof TWINS
type Twin<Id extends OlderId> = Extract<(typeof TWIN_OF)[Id], keyof Twins>
type InputOf<Id extends OlderId> = Twins[Twin<Id>]['input'] extends infer I extends CallSchema ? I : never
type OutputOf<Id extends OlderId> = Twins[Twin<Id>]['output'] extends infer O extends CallSchema ? O : never

/** A call in an older or second spelling, which the server answers by its twin (server/calls/handlers.ts). */
export interface OlderCall<I extends CallSchema = CallSchema, O extends CallSchema = CallSchema, M extends Method = Method>
  extends Call<I, O, M> {
  /** Its input as the twin's; without it they are the same. */
  in?: (input: never) => unknown
  /** The twin's answer as its own. */
  out?: (answer: never) => unknown
}
/** How a row differs from its twin; `undefined` where it has nothing of it. */
type Own<I extends CallSchema, O extends CallSchema, M extends Method> = Partial<Call<I, O, M>> & Pick<Call, 'path' | 'about'>

function older<
  const Id extends OlderId,
  const M extends Method = Twins[Twin<Id>]['method'],
  I extends CallSchema = InputOf<Id>,
  O extends CallSchema = OutputOf<Id>,
>(
  id: Id,
  row: Own<I, O, M> & {
    in?: (input: z.output<I>) => z.output<InputOf<Id>>
    out?: (answer: z.input<OutputOf<Id>>) => z.input<O>
  },
): { readonly [K in Id]: OlderCall<I, O, M> } {
  const { unsafe: _, ...twin }: Call = TWINS[TWIN_OF[id] as keyof Twins]
  return { [id]: { ...twin, ...row } } as unknown as { readonly [K in Id]: OlderCall<I, O, M> }
}

/** v1's envelope of a list: `data.count` and `data.<name>`. */
const listUnder = <N extends string, T extends CallSchema>(name: N, row: T) =>
  z.object({ data: z.object({ count: z.number(), [name]: z.array(row) } as { count: z.ZodNumber } & Record<N, z.ZodArray<T>>) })
const under =
  <N extends string>(name: N) =>
  <T>({ data, count }: { data: T[]; count: number }) => ({
    data: { count, [name]: data } as { count: number } & Record<N, T[]>,
  })

type Role = keyof typeof ROLE_IDS.v1
/** A user with v1's id of their role. */
const withOlderRole = <T extends { role: Role }>(user: T) => ({ ...user, role_id: ROLE_IDS.v1[user.role] })
const ofOlderRole = <T extends { data: { role: Role } }>(answer: T) => ({ ...answer, data: withOlderRole(answer.data) })
const users = userInputs('v1')

/** Counts of a project by one demographic. */
const counted = <N extends string>(name: N) => ({
  ...{ path: `${dashboard}/${name}`, input: ofProject, output: listUnder(name, Slice), out: under(name) },
})
/** The same figures of a project. */
const ofWhole = <S extends z.ZodRawShape>({ shape }: { shape: S & { surveyId: unknown; scope: unknown } }) => {
  const { surveyId: _, scope: __, ...rest } = shape
  return z.object({ ...ofProject.shape, ...rest })
}

const { client_id, ...newTeam } = teamCalls['team.create'].input.shape

const LocationWritten = one(OlderLocation).extend({ message: EffectSentence, warnings: z.array(z.string()) })
const locationWritten = ({ data, message, warnings }: z.input<(typeof locationCalls)['location.create']['output']>) => ({
  ...{ data: olderLocation(data), message, warnings },
})

/** TABLE  older calls → what differs from their twins. One of quite another shape is in its noun's file. */
export const olderCalls = {
  ...older('session.setPasswordSettlers', {
    path: '/auth/password',
    about: sessionCalls['session.setPassword'].about,
  }),
  ...older('session.actAsByLink', {
    method: 'GET',
    unsafe: true,
    path: '/v3/portal/switch_user/{id}',
    about: 'Acts as a client user by a GET, for token headers only.',
  }),
  ...older('user.listAll', {
    path: '/v3/portal/users/all',
    about: 'Lists users by role, 10 a page.',
    input: userInputs('v3').list,
  }),
  ...older('user.listOlder', {
    path: '/v1/users',
    about: 'Lists users by role, older spelling.',
    input: users.list,
    output: listUnder('users', User),
    out: ({ data, count }) => under('users')({ data: data.map(withOlderRole), count }),
  }),
  ...older('user.getOlder', {
    path: '/v1/users/{id}',
    about: 'Returns one user, older spelling, in the form that the edit of the same path accepts.',
    out: ofOlderRole,
  }),
  ...older('user.editOlder', {
    path: '/v1/users/{id}',
    about: 'Changes a user, older spelling.',
    reads: 'user.getOlder',
    input: users.edit,
    out: ofOlderRole,
  }),
  ...older('user.removeOlder', { path: '/v1/users/{id}', about: 'Deletes a user, older spelling.' }),
  ...older('user.inviteOlder', {
    path: '/auth/invitation',
    about: 'Invites by email, older spelling: role_id 1 admin, 2 client.',
    input: users.invite,
    out: ofOlderRole,
  }),
  ...older('client.listAll', { path: '/v3/portal/clients/all', about: 'Lists clients, 10 a page.' }),
  ...older('team.listOlder', {
    path: '/v1/teams',
    about: 'Lists teams, older spelling.',
    output: listUnder('teams', Team),
    out: under('teams'),
  }),
  ...older('team.usersOlder', {
    path: '/v1/team_users/{id}',
    about: 'Lists the users of a team, older spelling.',
    output: listUnder('users', TeamUser),
    out: ({ data, count }) => under('users')({ data: data.map(withOlderRole), count }),
  }),
  ...older('team.createOlder', {
    path: '/v1/teams/create',
    about: 'Adds a team, older spelling: company_id is the client.',
    input: z.object({ company_id: client_id, ...newTeam }),
    in: ({ company_id, ...team }) => ({ ...team, client_id: company_id }),
  }),
  ...older('team.editOlder', { path: '/v1/teams/{id}', about: 'Renames a team, older spelling.' }),
  ...older('team.removeOlder', { path: '/v1/teams/{id}', about: 'Deletes a team, older spelling.' }),
  ...older('team.removeUsersOlder', {
    path: '/v1/user_teams',
    about: 'Removes users from a team, older spelling.',
  }),
  ...older('partner.listAll', { path: '/v3/portal/partners/all', about: 'Lists channel partners, 10 a page.' }),
  ...older('partner.createOlder', { path: '/v1/partners', about: 'Adds a channel partner, older spelling.' }),
  ...older('partner.getOlder', {
    path: '/v1/partners/{id}',
    about: 'Returns one channel partner, older spelling.',
  }),
  ...older('project.listAll', {
    path: '/v3/portal/projects/all',
    about: 'Lists all v3 projects, parents with their children; generation=any adds the survey projects of the older generation.',
  }),
  ...older('project.notifyCostNow', {
    method: 'POST',
    path: '/v3/portal/projects_cost_notification/{id}',
    about:
      'Emails the client the cost after 8 seconds, during which the email can be undone. 409 within a minute of the last email about the same price.',
    input: quoteCalls['project.notifyCost'].input.extend({ resend: Flag.optional() }),
    refreshes: ['outbox'],
  }),
  ...older('project.mailPartnerNow', {
    method: 'POST',
    path: '/v3/portal/partner/send_mail/{partner_id}/{project_id}',
    about: 'Emails a partner the signed link to the feasibility page.',
    refreshes: ['outbox'],
  }),
  ...older('note.listOfCampaign', {
    path: '/v1/campaigns/{id}/note',
    about: 'Lists the notes of a campaign, older spelling.',
    output: listUnder('notes', Note),
    out: under('notes'),
  }),
  ...older('activity.listAll', {
    path: '/v3/portal/activities/all',
    about: 'Lists the activities of all projects, newest first, 10 a page.',
  }),
  ...older('activity.removeOlder', {
    path: '/v1/campaigns/activity_destroy/{id}',
    about: 'Deletes an activity of a campaign, as the newer call does.',
  }),
  ...older('runtime.clearFraudByGet', {
    method: 'GET',
    unsafe: true,
    path: '/v3/portal/surveys/runtime/{surveyId}/fraud_clear',
    about: 'Clears the fraud flags of the project’s responses, older spelling.',
  }),
  ...older('runtime.genderV1', { ...counted('gender'), about: 'Counts completes by gender.' }),
  ...older('runtime.ageV1', {
    ...counted('age'),
    about: 'Counts completes by age.',
    out: ({ data, count }) =>
      under('age')({ data: data.map((slice) => ({ ...slice, label: labelOf(OLDER_AGES, slice.value, slice.label) })), count }),
  }),
  ...older('runtime.hhiV1', { ...counted('hhi'), about: 'Counts completes by household income.' }),
  ...older('runtime.ethnicityV1', { ...counted('ethnicity'), about: 'Counts completes by ethnicity.' }),
  ...older('runtime.geolocationV1', {
    path: `${dashboard}/geolocation`,
    about: 'Counts completes by place, to a tenth of a degree.',
    input: ofProject,
    output: listUnder('geolocation', GeoPoint),
    out: under('geolocation'),
  }),
  ...older('runtime.deliveryTrendV1', {
    path: `${dashboard}/delivery_trend`,
    about: 'Counts completes by day, cumulative, beside the plan.',
    input: ofProject,
    output: listUnder('delivery_trend', TrendDay),
    out: under('delivery_trend'),
  }),
  ...older('runtime.questionsV1', {
    path: `${dashboard}/response_questions`,
    about: "Lists a project's questions of User Responses without their answers, and the base of the filters.",
    input: ofProject,
  }),
  ...older('runtime.crosstabV1', {
    path: `${dashboard}/crosstab`,
    about:
      "Crosses a question with another one or a demographic, over a project's surveys; for a parent, its children's together.",
    input: ofWhole(responseCalls['runtime.crosstab'].input),
  }),
  ...older('runtime.openAnswersV1', {
    path: `${dashboard}/open_answers`,
    about:
      "Lists a question's answers as texts over a project's surveys; for client users addresses and phone numbers are masked.",
    input: ofWhole(responseCalls['runtime.openAnswers'].input),
  }),
  ...older('runtime.userResponsesV1', {
    path: `${dashboard}/user_responses`,
    about: 'Counts answers by question under filters, with bases; `questions` limits it to some.',
    input: ofWhole(responseCalls['runtime.userResponses'].input),
    output: z.object({
      data: z.object({ count: z.number(), base: ResponseBase, user_responses: z.array(QuestionResponses) }),
    }),
    out: ({ data, count, base }) => ({ data: { count, base, user_responses: data } }),
  }),
  ...older('reward.find', {
    path: '/v3/portal/rewards/search',
    about: 'Searches rewards of all projects by name, code or project, 50 a page.',
  }),
  ...older('entry.clearByLink', {
    method: 'GET',
    unsafe: true,
    path: '/v3/portal/projects/{id}/clear_pending_rewards',
    about: entryCalls['entry.clear'].about,
    refreshes: undefined,
  }),
  ...older('location.listAll', {
    path: '/v3/portal/locations/all',
    about: 'Lists all locations by name, 10 a page.',
  }),
  ...older('location.getOlder', {
    path: '/v1/locations/{id}',
    about: 'Returns one location, older spelling.',
    output: one(OlderLocation),
    out: ({ data }) => ({ data: olderLocation(data) }),
  }),
  ...older('location.createOlder', {
    path: '/v1/locations',
    about: 'Adds a location, older spelling.',
    input: locationCalls['location.create'].input.omit({ group_ids: true }),
    output: LocationWritten,
    out: locationWritten,
  }),
  ...older('location.editOlder', {
    path: '/v1/locations/{id}',
    about: 'Changes a location, older spelling: only the fields that are sent.',
    reads: 'location.getOlder',
    output: LocationWritten,
    out: locationWritten,
  }),
  ...older('location.removeOlder', {
    path: '/v1/locations/{id}',
    about: 'Deletes a location softly, older spelling.',
    input: z.object({ id: Id }),
  }),
  ...older('notification.listOlder', {
    path: '/v1/notifications',
    about: 'Lists notifications, older spelling: data.notifications, 10 a page.',
    input: z.object({ ...paged(), search: Search }),
    output: listUnder('notifications', Notification),
    in: (input) => ({ ...input, ...({ column: '', order: 'asc', status: '', action: '' } as const) }),
    out: under('notifications'),
  }),
  ...older('filter.delete', {
    method: 'GET',
    unsafe: true,
    undo: undefined,
    path: '/v3/portal/visitation/delete_filter',
    about: 'Deletes a saved filter of the caller’s own; for token headers only, its twin is DELETE filters.',
  }),
} as const

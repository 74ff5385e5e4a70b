import { type Area, areaNames, loadAreas } from './commands/commandAreas.ts'
import type { FormName } from './routing/route.ts'
import { routeIds, rowOf } from './routing/routes.ts'
import type { LazyPane, Screens } from './workspace/paneOf.tsx'

/** Imported lazily, as tests read this table without a build. */
const loadCalls = () => import('virtual:calls').then((module) => module.loadCalls())

/** Returns a lazy pane, which loads together with its calls' rows and its buttons' command areas. */
const later =
  (pane: LazyPane, areas: readonly Area[] = []): LazyPane =>
  () =>
    Promise.all([pane(), loadCalls(), loadAreas(areas)]).then(([loaded]) => loaded)
const PROJECT = ['projects', 'rewards', 'activities'] as const

const resetPassword = later(() => import('./panes/outside/ResetPasswordPane.tsx'))
const error = later(() => import('./panes/outside/ErrorPane.tsx'))
/** Partners' pages open only by URL, where the server sends them without the workspace (src/partner.tsx). */
const partner = () => import('./panes/partner/PartnerPane.tsx')
const projects = () => import('./panes/project/ProjectsPane.tsx')
const surveyProjects = later(() => import('./panes/project/SurveyProjectsPane.tsx'))
const editProject = later(() => import('./panes/form/EditProjectPane.tsx'))
const newSurvey = later(() => import('./panes/form/NewSurveyPane.tsx'), ['surveys', 'activities'])
const teams = later(() => import('./panes/team/TeamsPane.tsx'), ['people'])
const newTeam = later(() => import('./panes/team/NewTeamPane.tsx'), ['people'])
const add = later(() => import('./panes/team/AddPane.tsx'), ['people'])
const locations = later(() => import('./panes/place/LocationsPane.tsx'), ['places', 'imports'])
const activity = later(() => import('./panes/activity/ActivityPane.tsx'), ['activities', 'surveys', 'imports'])
const client = later(() => import('./panes/people/ClientPane.tsx'), ['people', 'places', 'imports'])
const users = later(() => import('./panes/people/UsersPane.tsx'), ['people'])

/** TABLE  the forms that routes declare, by the table of their fields. */
const forms: Record<FormName, LazyPane> = {
  activity: later(() => import('./panes/form/activityForm.tsx').then(({ pane }) => pane), ['activities']),
  'activity.whole': later(() => import('./panes/form/newActivityForm.tsx').then(({ pane }) => pane), ['activities']),
  event: later(() => import('./panes/activity/eventForm.tsx').then(({ pane }) => pane), ['activities']),
  client: later(() => import('./panes/people/newClientForm.tsx').then(({ pane }) => pane)),
  group: later(() => import('./panes/place/newGroupForm.tsx').then(({ pane }) => pane), ['places', 'imports']),
  location: later(() => import('./panes/place/newLocationForm.tsx').then(({ pane }) => pane), ['places']),
  note: later(() => import('./panes/form/newNoteForm.tsx').then(({ pane }) => pane), PROJECT),
  post: later(() => import('./panes/activity/postForm.tsx').then(({ pane }) => pane), ['activities']),
  promo: later(() => import('./panes/activity/promoForm.tsx').then(({ pane }) => pane), ['activities']),
  reward: later(() => import('./panes/form/newRewardForm.tsx').then(({ pane }) => pane), PROJECT),
  'service.create': later(() => import('./panes/visitation/newServiceForm.tsx').then(({ pane }) => pane), ['visitation']),
  survey: later(() => import('./panes/form/surveyForm.tsx').then(({ pane }) => pane), ['surveys']),
}
const declared: Screens = Object.fromEntries(
  routeIds.flatMap((id) => {
    const { form } = rowOf(id)
    return form && form !== true ? [[id, forms[form]]] : []
  }),
)

/** Every route's pane, loaded when first shown. */
export const screens: Screens = {
  ...declared,
  login: () => import('./panes/outside/LoginPane.tsx'),
  forgotPassword: later(() => import('./panes/outside/ForgotPasswordPane.tsx')),
  passwordReset: resetPassword,
  settlersReset: resetPassword,
  requestAccount: later(() => import('./panes/outside/RequestAccountPane.tsx')),
  registration: later(() => import('./panes/outside/RegistrationPane.tsx')),
  confirmEmail: later(() => import('./panes/outside/ConfirmEmailPane.tsx')),
  stopMail: later(() => import('./panes/outside/StopMailPane.tsx')),
  terms: later(() => import('./panes/outside/TermsPane.tsx')),
  error,
  errorReset: error,
  feasibility: partner,
  feasibilityDone: partner,
  feasibilityUnknown: partner,
  allProjects: projects,
  surveyProjects,
  v3surveyProjects: projects,
  project: later(() => import('./panes/project/ProjectPane.tsx'), PROJECT),
  surveyProject: later(() => import('./panes/project/SurveyProjectPane.tsx'), PROJECT),
  approvals: surveyProjects,
  histories: surveyProjects,
  allNotes: surveyProjects,
  clientApproval: later(() => import('./panes/project/ClientApprovalPane.tsx'), PROJECT),
  approve: later(() => import('./panes/project/ChannelPane.tsx'), [...PROJECT, 'people']),
  requested: later(() => import('./panes/project/RequestedPane.tsx'), PROJECT),
  clientRequest: later(() => import('./panes/form/ClientRequestPane.tsx'), PROJECT),
  interactiveForm: later(() => import('./panes/form/InteractiveFormPane.tsx')),
  newSurveyRequest: later(() => import('./panes/form/RequestFormPane.tsx')),
  editCampaign: editProject,
  editProjectWizard: editProject,
  editProject,
  activities: later(() => import('./panes/activity/ActivitiesPane.tsx'), ['activities']),
  activity,
  activityGroup: activity,
  surveyForm: later(() => import('./panes/form/CreateSurveyPane.tsx'), PROJECT),
  editCampaignSurvey: later(() => import('./panes/form/EditSurveyActivityPane.tsx'), [...PROJECT, 'activities']),
  activityUsers: later(() => import('./panes/activity/WhoActedPane.tsx'), ['activities', 'results']),
  newChildSurvey: later(() => import('./panes/form/NewChildPane.tsx'), PROJECT),
  addAsset: later(() => import('./panes/form/AddAssetPane.tsx'), PROJECT),
  newProject: later(() => import('./panes/form/NewProjectPane.tsx'), PROJECT),
  editTarget: later(() => import('./panes/activity/EditTargetPane.tsx'), ['activities']),
  editMarket: later(() => import('./panes/activity/EditMarketPane.tsx'), ['activities']),
  newSurvey,
  newActivitySurvey: newSurvey,
  newQuestion: later(() => import('./panes/survey/NewQuestionPane.tsx'), ['surveys']),
  rewards: later(() => import('./panes/project/reward/RewardsPane.tsx'), ['rewards']),
  rewardReceivers: later(() => import('./panes/project/reward/ReceiversPane.tsx'), ['rewards']),
  rewardReceiversPerProject: later(() => import('./panes/project/reward/ProjectReceiversPane.tsx'), ['rewards']),
  clients: later(() => import('./panes/people/ClientsPane.tsx'), ['people']),
  partners: later(() => import('./panes/people/PartnersPane.tsx'), ['people']),
  newPartner: later(() => import('./panes/people/NewPartnerPane.tsx')),
  client,
  clientDetails: client,
  clientUsers: client,
  teams,
  v3Teams: teams,
  newTeam,
  newClientTeam: newTeam,
  team: later(() => import('./panes/team/TeamPane.tsx'), ['people']),
  teamUsers: later(() => import('./panes/team/TeamOnProjectPane.tsx'), ['people']),
  addUser: add,
  addClientUser: add,
  addProject: add,
  addProjectTeam: add,
  locations,
  v3Locations: locations,
  clientGroups: later(() => import('./panes/place/GroupsPane.tsx'), ['places', 'imports']),
  group: later(() => import('./panes/place/GroupPane.tsx'), ['places', 'activities', 'imports']),
  addLocation: later(() => import('./panes/place/AddLocationPane.tsx'), ['places', 'activities']),
  linkActivityGroup: later(() => import('./panes/place/LinkGroupsPane.tsx'), ['places', 'activities']),
  usersInfo: users,
  users,
  v3Users: users,
  locationFile: later(() => import('./panes/import/LocationFilePane.tsx'), ['imports', 'settings']),
  newUser: later(() => import('./panes/people/InvitePane.tsx')),
  surveys: later(() => import('./panes/survey/SurveysPane.tsx'), ['surveys']),
  survey: later(() => import('./panes/survey/SurveyPane.tsx'), ['surveys', 'projects']),
  visitation: later(() => import('./panes/visitation/ServicesPane.tsx'), ['visitation']),
  visitationViewer: later(() => import('./panes/visitation/ViewerPane.tsx'), ['visitation']),
  brandEditor: later(() => import('./panes/visitation/BrandEditorPane.tsx'), ['visitation', 'projects']),
  brands: later(() => import('./panes/visitation/BrandsPane.tsx'), ['visitation']),
  // Its list of shortcuts includes every command.
  account: later(() => import('./panes/account/AccountPane.tsx'), areaNames),
  notifications: later(() => import('./panes/notifications/NotificationsPane.tsx'), ['notifications']),
  // Its lines start commands of these areas.
  desk: later(
    () => import('./panes/notifications/DeskPane.tsx'),
    ['notifications', 'projects', 'rewards', 'settings', 'imports', 'webhooks'],
  ),
  inbox: later(() => import('./panes/notifications/InboxPane.tsx'), ['notifications']),
  organization: later(() => import('./panes/work/OrganizationPane.tsx'), ['settings', 'visitation']),
  brand: later(() => import('./panes/visitation/brand/BrandPane.tsx'), ['visitation']),
  colleagues: later(() => import('./panes/people/ColleaguesPane.tsx'), ['people']),
  jobs: later(() => import('./panes/work/JobsPane.tsx'), ['settings']),
  tokens: later(() => import('./panes/work/TokensPane.tsx'), ['settings']),
  webhooks: later(() => import('./panes/webhook/WebhooksPane.tsx'), ['webhooks']),
  webhook: later(() => import('./panes/webhook/WebhookPane.tsx'), ['webhooks']),
  health: later(() => import('./panes/work/HealthPane.tsx')),
  wholeHistory: later(() => import('./panes/work/HistoryPane.tsx'), ['settings']),
  outbox: later(() => import('./panes/work/OutboxPane.tsx'), ['settings', 'people']),
}

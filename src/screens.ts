import type { Screens } from './workspace/paneOf.tsx'

const resetPassword = () => import('./panes/outside/ResetPasswordPane.tsx')
const error = () => import('./panes/outside/ErrorPane.tsx')
const projects = () => import('./panes/project/ProjectsPane.tsx')
const surveyProjects = () => import('./panes/project/SurveyProjectsPane.tsx')
const editProject = () => import('./panes/form/EditProjectPane.tsx')
const client = () => import('./panes/people/ClientPane.tsx')
const users = () => import('./panes/people/UsersPane.tsx')

/** The pane of every route that is built, fetched when it is first seen. A route without a row is not built, and says so plainly. */
export const screens: Screens = {
  login: () => import('./panes/outside/LoginPane.tsx'),
  forgotPassword: () => import('./panes/outside/ForgotPasswordPane.tsx'),
  passwordReset: resetPassword,
  settlersReset: resetPassword,
  requestAccount: () => import('./panes/outside/RequestAccountPane.tsx'),
  registration: () => import('./panes/outside/RegistrationPane.tsx'),
  terms: () => import('./panes/outside/TermsPane.tsx'),
  error,
  errorReset: error,
  allProjects: projects,
  surveyProjects,
  v3surveyProjects: projects,
  project: () => import('./panes/project/ProjectPane.tsx'),
  surveyProject: () => import('./panes/project/SurveyProjectPane.tsx'),
  approvals: surveyProjects,
  histories: surveyProjects,
  allNotes: surveyProjects,
  newSurveyRequest: () => import('./panes/form/RequestFormPane.tsx'),
  editCampaign: editProject,
  editProjectWizard: editProject,
  editProject,
  clients: () => import('./panes/people/ClientsPane.tsx'),
  newClient: () => import('./panes/people/NewClientPane.tsx'),
  client,
  clientDetails: client,
  clientUsers: client,
  usersInfo: users,
  users,
  v3Users: users,
  newUser: () => import('./panes/people/InvitePane.tsx'),
  account: () => import('./panes/account/AccountPane.tsx'),
  jobs: () => import('./panes/work/JobsPane.tsx'),
  outbox: () => import('./panes/work/OutboxPane.tsx'),
}

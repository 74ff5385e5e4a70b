import type { Screens } from './workspace/paneOf.tsx'

const resetPassword = () => import('./panes/ResetPasswordPane.tsx')
const error = () => import('./panes/ErrorPane.tsx')
const projects = () => import('./panes/ProjectsPane.tsx')
const surveyProjects = () => import('./panes/SurveyProjectsPane.tsx')
const editProject = () => import('./panes/EditProjectPane.tsx')
const client = () => import('./panes/ClientPane.tsx')
const users = () => import('./panes/UsersPane.tsx')

/** The pane of every route that is built, fetched when it is first seen. A route without a row is not built, and says so plainly. */
export const screens: Screens = {
  login: () => import('./panes/LoginPane.tsx'),
  forgotPassword: () => import('./panes/ForgotPasswordPane.tsx'),
  passwordReset: resetPassword,
  settlersReset: resetPassword,
  requestAccount: () => import('./panes/RequestAccountPane.tsx'),
  registration: () => import('./panes/RegistrationPane.tsx'),
  terms: () => import('./panes/TermsPane.tsx'),
  error,
  errorReset: error,
  allProjects: projects,
  surveyProjects,
  v3surveyProjects: projects,
  project: () => import('./panes/ProjectPane.tsx'),
  surveyProject: () => import('./panes/SurveyProjectPane.tsx'),
  approvals: surveyProjects,
  histories: surveyProjects,
  allNotes: surveyProjects,
  newSurveyRequest: () => import('./panes/RequestFormPane.tsx'),
  editCampaign: editProject,
  editProjectWizard: editProject,
  editProject,
  clients: () => import('./panes/ClientsPane.tsx'),
  newClient: () => import('./panes/NewClientPane.tsx'),
  client,
  clientDetails: client,
  clientUsers: client,
  usersInfo: users,
  users,
  v3Users: users,
  newUser: () => import('./panes/InvitePane.tsx'),
  account: () => import('./panes/AccountPane.tsx'),
  jobs: () => import('./panes/JobsPane.tsx'),
  outbox: () => import('./panes/OutboxPane.tsx'),
}

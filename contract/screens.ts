import { seesAll } from './actor.ts'
import type { Role } from './vocabulary.ts'

/**
 * Screens open to client users, as routes.ts names them, with the tab if any; a test checks them against the routes.
 * The server uses it for records that belong to a screen, such as saved views.
 */
export const CLIENT_SCREENS: ReadonlySet<string> = new Set([
  'dashboard',
  'allProjects',
  'surveyProjects',
  'v3surveyProjects',
  'project',
  'project.specifications',
  'project.overview',
  'project.userResponses',
  'surveyProject',
  'surveyProject.specifications',
  'surveyProject.overview',
  'surveyProject.userResponses',
  'surveyProject.userContent',
  'surveyProject.approval',
  'surveyProject.history',
  'newSurveyRequest',
  'interactiveForm',
  'surveyForm',
  'visitation',
  'brands',
  'brand',
  'visitationViewer',
  'clientRequest',
  'colleagues',
  'clientApproval',
  'requested',
  'account',
  'jobs',
  'snapshot',
  'inbox',
  'desk',
  'tokens',
  'webhooks',
  'webhook',
])

/** True if a role may open a screen. */
export const mayOpen = (role: Role, screen: string): boolean => seesAll({ role }) || CLIENT_SCREENS.has(screen)

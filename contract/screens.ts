import type { Role } from './vocabulary.ts'
import { seesAll } from './who.ts'

/**
 * The screens of the workspace that client users open, as `src/routing/routes.ts` names them, with the tab where there is one; every other is an
 * administrators' screen. The server asks this of what belongs to a screen (saved views); a test holds it against the routes.
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
  'clientApproval',
  'requested',
  'account',
  'jobs',
  'snapshot',
])

/** True where somebody of this role may open a screen. */
export const mayOpen = (role: Role, screen: string): boolean => seesAll({ role }) || CLIENT_SCREENS.has(screen)

import { count, showDay } from '../../contract/format.ts'
import type { ProjectPlan } from './plan.ts'

/** A project's description in a sentence. */
export const aboutProject = (plan: ProjectPlan, brand: string): string =>
  `${plan.content ? 'Content' : 'Survey'} project for ${brand}: ${plan.product.toLowerCase()}, ${count(plan.ordered)} completes.`
/** A requester's requirements, line by line. */
export const requirementsOf = (plan: ProjectPlan): string =>
  [
    `Field dates ${showDay(plan.start, 'day and year')} to ${showDay(plan.end, 'day and year')}, ${count(plan.ordered)} completes.`,
    `Category users of ${plan.product.toLowerCase()} in the past 3 months.`,
    plan.content
      ? 'One photo or video of the product in use, with a caption.'
      : 'Nationally balanced on age and gender within the audience.',
    'Topline within two days of the end.',
  ].join('\n')
/** An activity's instructions to participants. */
export const aboutOf = (type: string, product: string): string =>
  ({
    survey: `A short survey about ${product.toLowerCase()}.`,
    photo: `Photograph ${product.toLowerCase()} where you find it.`,
    video: `Record half a minute about ${product.toLowerCase()}.`,
    social: `Share what you think of ${product.toLowerCase()}.`,
  })[type] ?? ''

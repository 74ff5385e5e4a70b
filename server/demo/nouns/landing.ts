import { demoNoun, type NounRows } from '../noun.ts'
import { reached } from '../plan.ts'
import { rowOf } from '../rowDefaults.ts'

/** Landing pages of three in five v3 projects from approved on. */
export const landing = demoNoun({
  tables: ['landing_options'],
  after: ['project'],
  example: () => ({
    survey_url: 'https://surveys.example/landing',
    facebook_question: 'Did you shop this week?',
    fulcrum_question: 'Did you shop this week?',
    facebook_disqualify_text: 'Thank you. This survey is for others.',
    fulcrum_disqualify_text: 'Thank you. This survey is for others.',
  }),
})

const QUESTIONS = [
  'Have you bought {product} in the past four weeks?',
  'Do you decide which {product} your household buys?',
  'Have you seen an ad for {product} this month?',
  'Are you 18 or older and interested in {product}?',
] as const
const ENDINGS = [
  'Thank you for your interest. We’re looking for other shoppers this time.',
  'Thanks! This survey isn’t a match for you, but another may be soon.',
  'We have all the answers we need from people like you. Thank you!',
] as const

export const rows: NounRows<'landing_options'> = {
  ofProject(random, _market, { plan, created }) {
    if (plan.generation !== 'project' || !reached(plan, 'approved') || !random.chance(0.6)) return { landing_options: [] }
    const question = () => random.pick(QUESTIONS).replace('{product}', plan.product.toLowerCase())
    const link = (channel: string) => (random.chance(0.5) ? `https://join.example/${channel}/${plan.id}` : '')
    return {
      landing_options: [
        rowOf('landing_options', created, {
          project_id: plan.id,
          survey_url: `https://surveys.example/p/${plan.id}`,
          facebook_question: question(),
          fulcrum_question: question(),
          facebook_disqualify_text: random.pick(ENDINGS),
          fulcrum_disqualify_text: random.pick(ENDINGS),
          facebook_landing_url: link('facebook'),
          fulcrum_landing_url: link('fulcrum'),
        }),
      ],
    }
  },
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly landing: typeof landing
  }
}

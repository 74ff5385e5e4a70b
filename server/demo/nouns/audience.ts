import { demoNoun, type NounRows } from '../noun.ts'
import { reached } from '../plan.ts'
import { rowOf } from '../rowDefaults.ts'

/** Channels of every v3 project from approved on: most have active ones, a third have both. */
export const audience = demoNoun({
  tables: ['audience_options'],
  after: ['project', 'user'],
  example: () => ({
    facebook_active: 1,
    facebook_changed_at: null,
    facebook_changed_by: null,
    fulcrum_active: 0,
    fulcrum_changed_at: null,
    fulcrum_changed_by: null,
    active: 1,
    changed_at: null,
    changed_by: null,
  }),
})

export const rows: NounRows<'audience_options'> = {
  ofProject(random, { calendar }, { plan, cast }) {
    if (plan.generation !== 'project' || !reached(plan, 'approved')) return { audience_options: [] }
    const at = calendar.office(random, plan.start < calendar.today ? plan.start : plan.created)
    const both = random.chance(1 / 3)
    const facebook = both || random.chance(0.5) ? 1 : 0
    const fulcrum = both || !facebook ? 1 : 0
    const active = random.chance(0.85) ? 1 : 0
    const stamp = (on: number) => (on ? at : null)
    const by = (on: number) => (on ? cast.admin : null)
    return {
      audience_options: [
        rowOf('audience_options', at, {
          project_id: plan.id,
          facebook_active: facebook,
          facebook_changed_at: stamp(facebook),
          facebook_changed_by: by(facebook),
          fulcrum_active: fulcrum,
          fulcrum_changed_at: stamp(fulcrum),
          fulcrum_changed_by: by(fulcrum),
          active,
          changed_at: at,
          changed_by: cast.admin,
        }),
      ],
    }
  },
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly audience: typeof audience
  }
}

import { href } from '../../../routing/routes.ts'

export type Generation = 'project' | 'campaign'
export type VipTabName = 'vip' | 'vipRewarded' | 'vipRewardedList'

/** Links to a VIP tab of a project, on its generation's screen. */
export const vipHref = (
  generation: Generation,
  id: number,
  tab: VipTabName,
  query: Readonly<Record<string, string | number>> = {},
) => (generation === 'campaign' ? href('surveyProject', { id }, { tab, query }) : href('project', { id }, { tab, query }))

import { useEffect } from 'react'
import type { ApiError } from '../../data/api.ts'
import { type Answer, useCall } from '../../data/useCall.ts'
import type { TrendAxis } from '../../ui/charts/trendDays.ts'
import { trendOf } from './overviewFigures.ts'
import { WidgetGrid } from './WidgetGrid.tsx'
import type { WidgetId } from './widgets.ts'

type Failed = Pick<Answer<unknown>, 'retry'> & { error: ApiError }
interface Props {
  /** A survey of the project, whose calls count all of them; null without one. */
  survey: number | null
  filters: Record<string, string>
  axis: TrendAxis
  goal: number | null
  /** The call for all figures, which has failed. */
  all: Failed
}

/**
 * The Overview when the call for all its figures has failed: each part is read by its own call, and fails by itself.
 * Failures are logged by a short label (projects-area 8).
 */
export function OverviewParts({ survey, filters, axis, goal, all }: Props) {
  const input = survey === null ? null : { surveyId: survey, scope: 'project' as const, ...filters }
  const [age, gender, hhi] = [useCall('runtime.age', input), useCall('runtime.gender', input), useCall('runtime.hhi', input)]
  const ethnicity = useCall('runtime.ethnicity', input)
  const [marital_status, children] = [useCall('runtime.maritalStatus', input), useCall('runtime.children', input)]
  const [trend, map, funnel] = [
    useCall('runtime.deliveryTrend', input),
    useCall('runtime.geoaddress', input),
    useCall('runtime.funnel', input),
  ]
  const answers: Partial<Record<WidgetId, Answer<unknown>>> = {
    trend,
    age,
    gender,
    hhi,
    ethnicity,
    map,
    funnel,
    marital_status,
    children,
  }
  const failed: Partial<Record<WidgetId, Failed>> = {}
  for (const [id, { data, error, retry }] of Object.entries(answers) as [WidgetId, Answer<unknown>][])
    if (survey === null) failed[id] = all
    else if (error && !data) failed[id] = { error, retry }
  useLogged('Overview', all.error)
  useLogged('Age', age.error)
  useLogged('Gender', gender.error)
  useLogged('Household Income', hhi.error)
  useLogged('Ethnicity', ethnicity.error)
  useLogged('Marital Status', marital_status.error)
  useLogged('Children', children.error)
  useLogged('Delivery Trend', trend.error)
  useLogged('Map', map.error)
  useLogged('Funnel', funnel.error)
  const figures = {
    age: age.data?.data,
    gender: gender.data?.data,
    hhi: hhi.data?.data,
    ethnicity: ethnicity.data?.data,
    marital_status: marital_status.data?.data,
    children: children.data?.data,
    geoaddress: map.data?.data,
    funnel: funnel.data?.data,
  }
  const loading = Object.values(answers).some((answer) => answer.loading)
  const points = trendOf(trend.data && { delivery_trend: trend.data.data }, Object.keys(filters).length > 0)
  return (
    <>
      <p role="status" className="sr-only">
        {!loading && Object.keys(failed).length > 0 && 'Some figures couldn’t be loaded.'}
      </p>
      <WidgetGrid
        figures={figures}
        failed={failed}
        trend={points}
        goal={goal}
        loading={loading}
        axis={axis}
        linked={false}
        of={null}
        scales={null}
        against={null}
      />
    </>
  )
}

function useLogged(part: string, error: ApiError | undefined): void {
  useEffect(() => {
    if (error) console.error(`${part} Error: ${error.message}`)
  }, [part, error])
}

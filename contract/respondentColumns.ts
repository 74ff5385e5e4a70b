/** Export columns of a survey activity's respondents by list column id (screens-projects.md, Who acted). */
export const RESPONDENT_COLUMNS = {
  person: 'Person',
  outcome: 'Outcome',
  market: 'Market area',
  at: 'When',
  survey: 'Survey',
} as const

/** Warns about a social activity without a link, which is allowed but unusual. */
export const socialWarning = ({ activity_type, social_link }: { activity_type: string; social_link: string }): string[] =>
  activity_type === 'social' && !social_link.trim() ? ['A social activity usually has a link.'] : []

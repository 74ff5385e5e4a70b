/** Shortens a user agent to "Chrome on Windows". */
export function deviceOf(agent: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(agent)?.[1]
  const system = /(Windows|Mac OS X|Android|iPhone|iPad|Linux)/.exec(agent)?.[1]
  const name = { Edg: 'Edge', OPR: 'Opera' }[browser ?? ''] ?? browser
  return name ? `${name}${system ? ` on ${system.replace(' OS X', '')}` : ''}` : agent.slice(0, 60) || 'Unknown device'
}

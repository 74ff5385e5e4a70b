import { ReceiverList } from './ReceiverList.tsx'

/** Lists rewarded people of all projects (screens-people-places-rewards.md, Reward receivers). */
export default function ReceiversPane() {
  return <ReceiverList project={null} />
}

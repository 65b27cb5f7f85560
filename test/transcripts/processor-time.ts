/** The processor time of this process so far, in milliseconds: other programs of the machine do not make it longer. */
export function processorTime_ms(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * A project as people and agents read it. One without a remote is named by its first commit, which says nothing to them:
 * it is shown by its folder and the beginning of the commit. Any other name is shown as it is.
 *
 * @param folder - the name of the project's folder, where it is known.
 */
export function showProject(project: string, folder?: string): string {
  if (!/^[0-9a-f]{40,64}$/.test(project)) return project;
  const commit = project.slice(0, 8);
  return folder === undefined ? `the repository with the first commit ${commit}` : `${folder} (${commit})`;
}

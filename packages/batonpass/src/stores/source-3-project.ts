/** The project of handoffs that were written by source 3's rules, which know no projects. */
export const source3Project = 'default';

/** The addresses of both interfaces come from the environment. */
const { DOCUMENTS, JOB_API_URL, MANAGEMENT_API_URL } = process.env;

const clientOf = (name, baseUrl) => ({
  input: `${DOCUMENTS}/${name}.json`,
  output: { target: `${name}.ts`, client: 'fetch', baseUrl },
});

export default { jobs: clientOf('jobs', JOB_API_URL), management: clientOf('management', MANAGEMENT_API_URL) };

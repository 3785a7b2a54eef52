package config

// removed has the keys of site.yaml that earlier versions had, by path, with what to do
// instead.
var removed = map[string]string{
	"host":         "the host says itself what exceeds its limits",
	"metrics_file": "write ayna build --report report.json, which holds these figures, or let serve.metrics answer Prometheus",
}

package cli

import (
	"io"
	"os"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"ayna/generator"
)

// lastSuccess is the metric that a run without success takes over from the file that the
// run before it wrote.
const lastSuccess = "ayna_build_last_success_timestamp_seconds"

// writeMetricsFile writes the figures of a run for the textfile collector of Prometheus.
func (a *app) writeMetricsFile(report *generator.Report) error {
	name := a.config.MetricsFile
	registry := prometheus.NewRegistry()
	set := func(metric, help string, value float64) {
		gauge := prometheus.NewGauge(prometheus.GaugeOpts{Name: metric, Help: help})
		gauge.Set(value)
		registry.MustRegister(gauge)
	}
	setEach := func(metric, help, label string, values map[string]float64) {
		gauges := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: metric, Help: help}, []string{label})
		for key, value := range values {
			gauges.WithLabelValues(key).Set(value)
		}
		registry.MustRegister(gauges)
	}
	ended := float64(report.Ended.Unix())
	success := ended
	if report.Exit != exitOK {
		success = readMetric(name, lastSuccess)
	}
	set("ayna_build_exit_code", "Exit code of the last run.", float64(report.Exit))
	set("ayna_build_last_run_timestamp_seconds", "End of the last run.", ended)
	set(lastSuccess, "End of the last run with exit code 0; 0 if there was none.", success)
	set("ayna_build_duration_seconds", "Time that the last run took.", report.Ended.Sub(report.Started).Seconds())
	setEach("ayna_build_stage_seconds", "Time that a stage of the last run took.", "stage", report.Seconds)
	records, waiting := make(map[string]float64), make(map[string]float64)
	for kind, n := range report.Records {
		records[string(kind)], waiting[string(kind)] = float64(n.Records), float64(n.Waiting)
	}
	setEach("ayna_archive_records", "Records in the archive.", "kind", records)
	setEach("ayna_archive_waiting_records", "Records that have not been fetched in full.", "kind", waiting)
	if s := report.Sync; s != nil {
		set("ayna_sync_requests", "Requests of the last run.", float64(s.Requests.Sent))
		set("ayna_sync_failures", "Requests and records that failed in the last run.", float64(len(s.Failed)))
	}
	if f := report.Files; f != nil {
		set("ayna_site_files", "Files of the site.", float64(f.Files()))
		set("ayna_site_bytes", "Bytes of the site.", float64(f.Bytes))
		set("ayna_site_written_files", "Files that the last run wrote.", float64(f.Written))
	}
	families, err := registry.Gather()
	if err != nil {
		return err
	}
	return writeWhole(name, func(w io.Writer) error {
		for _, family := range families {
			if _, err := expfmt.MetricFamilyToText(w, family); err != nil {
				return err
			}
		}
		return nil
	})
}

// readMetric returns the value of a metric in a file, 0 if it cannot be read.
func readMetric(file, metric string) float64 {
	f, err := os.Open(file)
	if err != nil {
		return 0
	}
	defer f.Close()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(f)
	if err != nil || len(families[metric].GetMetric()) == 0 {
		return 0
	}
	return families[metric].GetMetric()[0].GetGauge().GetValue()
}
